"""The conditions that a candidate of a decision may fail, one word for each.

Owns the words only, as reasons keep them. The code that asks a condition decides what it means;
`viewer.story.condition_words` says it to people.
"""

from __future__ import annotations

# of anything that is ranked
FARTHER = "farther"
TIE_LOST = "tie-lost"
NOT_DRAWN = "not-drawn"
CHEAPER = "cheaper"
WEAKER = "weaker"
NOT_VISIBLE = "not-visible"
NONE_VISIBLE = "none-visible"
OUT_OF_RANGE = "out-of-range"

# of the next unit
IN_COMBAT = "in-combat"
BLOCKED_BY_FRIENDS = "blocked-by-friends"

# of what a unit heads for
AIRCRAFT = "aircraft"
IN_SPAWN_ZONE = "in-spawn-zone"
HELD_BY_ANOTHER = "held-by-another-unit"
ADDED = "added"

# of staying
SINGLE_MODEL = "single-model"
SEVERAL_MODELS = "several-models"
NO_HEAVY_MAJORITY = "no-heavy-majority"
NO_GUN = "no-gun"
NOTHING_IN_RANGE = "nothing-in-range"
PRIMARY_NOT_HEAVY = "primary-gun-not-heavy"
NO_REWARD = "no-reward"
TOO_SMALL_A_GAIN = "too-small-a-gain"
NOT_ALL_IN_RANGE = "not-all-in-range"
CAN_CLOSE_UP = "can-close-up"
CAN_GO_ON = "can-go-on"

# of moving, advancing and falling back
NO_WAY = "no-way"
NOT_ALL_ASSAULT = "not-all-assault"
MAY_NOT_ACT_AFTER = "may-not-act-after"
COULD_CHARGE = "could-charge"
COULD_SHOOT = "could-shoot"
GIVES_UP_GUNS = "gives-up-guns"

# of getting out
DECK_SUFFICES = "deck-suffices"
TRANSPORT_MOVED = "transport-moved"
NO_ROOM = "no-room"

# of shooting
LONE_OPERATIVE = "lone-operative"
NOT_IN_OWN_COMBAT = "not-in-own-combat"
NOT_LEGAL = "not-legal"
NOT_ANTI = "not-anti"
NO_LEADER = "no-leader"
INFANTRY_OR_SWARM = "infantry-or-swarm"
OTHER_PROFILE = "other-profile"
OTHER_SET = "other-set"
MORE_WOUNDS = "more-wounds"

# of charging and fighting
NO_MAJORITY = "no-majority"
BEYOND_CHARGE = "beyond-charge-range"
LONG_ODDS = "long-odds"
OUT_OF_REACH = "out-of-reach"
NO_GAIN = "no-gain"

# of what an ability is used on
UNDER_IT = "under-it"
LACKS_LESS = "lacks-less"
NOTHING_TO_GAIN = "nothing-to-gain"
