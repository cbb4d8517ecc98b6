"""The words for the conditions of `ai.reasons.condition`, with the numbers that failed them.

The one place where a rejected candidate becomes words; the facts are the log's.
"""

from __future__ import annotations

from ai.reasons import condition as c
from engine.core.request import Candidate
from viewer.story.name import inches, plain

WORDS = {
    c.FARTHER: "farther",
    c.TIE_LOST: "as good, but the draw fell on another",
    c.NOT_DRAWN: "not drawn",
    c.CHEAPER: "{measured} points, the dearest costs {needed}",
    c.WEAKER: "weaker guns",
    c.NOT_VISIBLE: "not visible",
    c.NONE_VISIBLE: "no enemy is visible",
    c.OUT_OF_RANGE: "out of its range of {needed}",
    c.IN_COMBAT: "in combat",
    c.BLOCKED_BY_FRIENDS: "blocked by friends that have still to move",
    c.AIRCRAFT: "AIRCRAFT, out of its reach",
    c.IN_SPAWN_ZONE: "in a spawning zone",
    c.HELD_BY_ANOTHER: "held by another Horde unit",
    c.ADDED: "added by a player",
    c.SINGLE_MODEL: "it is a single model",
    c.SEVERAL_MODELS: "it has {measured} models",
    c.NO_HEAVY_MAJORITY: "{measured} models carry Heavy weapons, it takes {needed}",
    c.NO_GUN: "no ranged weapon",
    c.NOTHING_IN_RANGE: "the closest enemy in sight is {measured} away, its range is {needed}",
    c.PRIMARY_NOT_HEAVY: "its primary gun is not Heavy",
    c.NO_REWARD: "no ability of its rewards standing still",
    c.TOO_SMALL_A_GAIN: "{measured} wounds to be expected, it takes {needed}",
    c.NOT_ALL_IN_RANGE: "{measured} of {needed} models in range of the marker",
    c.CAN_CLOSE_UP: "it can close up by {measured} in all",
    c.CAN_GO_ON: "it can still go on",
    c.NO_WAY: "no legal move leads there",
    c.NOT_ALL_ASSAULT: "Assault weapons with {measured} of {needed} armed models",
    c.MAY_NOT_ACT_AFTER: "it might neither shoot nor charge afterwards",
    c.COULD_CHARGE: "after a normal move an enemy is within {needed} for a charge, {measured} away",
    c.COULD_SHOOT: "after a normal move it can shoot with {measured} guns",
    c.GIVES_UP_GUNS: "it gives up {measured} guns that are no side-arms",
    c.DECK_SUFFICES: "{measured} guns aboard have a target, {needed} can fire from the deck",
    c.TRANSPORT_MOVED: "its transport has moved",
    c.NO_ROOM: "no room",
    c.LONE_OPERATIVE: "a Lone Operative farther than {needed}",
    c.NOT_IN_OWN_COMBAT: "not in its own combat",
    c.NOT_LEGAL: "no legal target for this weapon",
    c.NOT_ANTI: "not what its Anti is against",
    c.NO_LEADER: "no Leader in sight",
    c.INFANTRY_OR_SWARM: "INFANTRY or SWARM",
    c.OTHER_PROFILE: "another profile of the weapon does more, this one {measured} wounds",
    c.OTHER_SET: "the model's other weapons do more, this one {measured} wounds",
    c.MORE_WOUNDS: "{measured} wounds left, the weakest has {needed}",
    c.NO_MAJORITY: "{measured} models fight with better than a close combat weapon, it takes {needed}",
    c.BEYOND_CHARGE: "farther than {needed}",
    c.LONG_ODDS: "farther than {needed}, which a seven reaches",
    c.OUT_OF_REACH: "no legal path of {needed} reaches it",
    c.NO_GAIN: "as close as it can be",
    c.UNDER_IT: "under it already",
    c.LACKS_LESS: "has lost {measured} wounds, the most is {needed}",
    c.NOTHING_TO_GAIN: "would gain nothing by it now",
}
"""What each condition means to a player; numbers stand where the log has them."""

COUNTS = {
    c.CHEAPER,
    c.SEVERAL_MODELS,
    c.NO_HEAVY_MAJORITY,
    c.TOO_SMALL_A_GAIN,
    c.NOT_ALL_IN_RANGE,
    c.NOT_ALL_ASSAULT,
    c.COULD_SHOOT,
    c.GIVES_UP_GUNS,
    c.DECK_SUFFICES,
    c.OTHER_PROFILE,
    c.OTHER_SET,
    c.MORE_WOUNDS,
    c.NO_MAJORITY,
}
"""The conditions whose numbers are no inches."""


def failed_words(candidate: Candidate) -> str:
    """Return why a candidate was rejected, with its numbers; "" where it was not."""
    if not candidate.failed:
        return ""
    words = WORDS.get(candidate.failed, plain(candidate.failed))
    numbers = {"measured": candidate.measured, "needed": candidate.needed}
    if any(value is None and f"{{{name}}}" in words for name, value in numbers.items()):
        return plain(candidate.failed)
    counted = candidate.failed in COUNTS
    told = {
        name: (f"{round(value, 1):g}" if counted else inches(value))
        for name, value in numbers.items()
        if value is not None
    }
    return words.format(**told)
