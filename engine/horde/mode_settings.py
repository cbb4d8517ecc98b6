"""The settings about the mode itself: spawning, sight, cards, the Horde as an army.

How the Horde is piloted is set in `engine.horde.piloting`; both are looked up in `engine.horde.all_settings`.
"""

from __future__ import annotations

from engine.core.settings import Setting

ABOUT_THE_MODE: tuple[Setting, ...] = (
    Setting(
        "cards.mind_killer",
        "MISERY.23",
        "in which Battle-shock steps every unit of the players tests under The Mind Killer",
        (("every", "in those of both sides"), ("own", "in that of the players' own Command phase")),
    ),
    Setting(
        "horde.battle_shock",
        "R.A80",
        "whether the Horde's units test for Battle-shock",
        (("yes", "they do, as any army's"), ("no", "not in the Horde's Command phase")),
    ),
    Setting(
        "horde.grudge_lasts",
        "R.A94",
        "how long the Leagues of Votann remember who destroyed a unit of theirs",
        (("battle", "for the battle"), ("round", "until the battle round ends")),
    ),
    Setting(
        "horde.gsc_clears",
        "R.A90",
        "whether a returning unit of the Genestealer Cults clears its zone",
        (
            ("no", "no: it comes in a random zone that has room for it beside what is there"),
            ("yes", "what is within a random zone is destroyed first, as where a unit spawns"),
        ),
    ),
    Setting(
        "horde.tsons_hits_own",
        "R.A92",
        "whether the Thousand Sons' storms hurt the Horde's own units",
        (
            ("false", "no, only units of the players, each once a phase"),
            ("true", "yes, every other unit that is near enough"),
        ),
    ),
    Setting(
        "horde.warlord",
        "R.A74",
        "whether another CHARACTER of the Horde follows a fallen Warlord",
        (
            ("first", "no, the first that spawns stays its only Warlord"),
            ("next", "yes, the next that spawns after it fell"),
        ),
    ),
    Setting(
        "horde.zone_cover",
        "R.A89",
        "which models have cover for being within a spawning zone",
        (("any_part", "those with any part of their base in it"), ("wholly", "those wholly within it")),
    ),
    Setting(
        "mission.aboard",
        "CORE.TRN.6",
        "whether who rides in a transport is on the battlefield for missions and secret objectives",
        (("off", "no, only who stands on it"), ("on", "yes, as long as the transport is")),
    ),
    Setting(
        "mission.no_subject",
        "R.A83",
        "whether a mission succeeds for which there was nothing to choose: no marker, no Horde unit",
        (("success", "yes, nothing in it can go wrong"), ("failure", "no")),
    ),
    Setting(
        "mission.painted",
        "R.A84",
        "which painted targets a unit may not leave that began its turn in range of several",
        (("any", "any of them: losing one fails the mission"), ("all", "all of them: one must be kept")),
    ),
    Setting(
        "order.outside_turn",
        "R.ORDER",
        "the order of rules that apply at once outside any turn",
        (
            ("players_first", "the players order theirs, then the Horde's come at random"),
            ("roll_off", "the side that rolls higher on a die orders them all, the Horde at random"),
        ),
    ),
    Setting(
        "secret.majority",
        "SECRET.8",
        "whether players who have equally many units, and more than the others, have the most",
        (("alone", "no, it takes more than any other player's"), ("shared", "yes, each of them")),
    ),
    Setting(
        "secret.multiplayer",
        "SETUP.8",
        "who may be dealt secret objectives that are made for several players",
        (("several", "several players only"), ("any", "one player too")),
    ),
    Setting(
        "sight.models_block",
        "S.L21",
        "whether models close the lines of sight between other units",
        (
            ("false", "never"),
            ("true", "MONSTER and VEHICLE models do, each as a solid piece of its own shape and height"),
        ),
    ),
    Setting(
        "spawn.aircraft",
        "ARMY.9",
        "whether AIRCRAFT come out of the spawning tables",
        (("no", "they are barred, as the text advises"), ("yes", "they come, hovering if they can")),
    ),
    Setting(
        "spawn.clear_triggers",
        "SP.R12",
        "whether Deadly Demise is rolled for who is destroyed as a zone spawns",
        (("no", "no: it is only taken off"), ("yes", "yes, as where it is destroyed otherwise")),
    ),
    Setting(
        "spawn.clears",
        "R.A65",
        "which units are within a zone that spawns",
        (
            ("any_part", "those of which any part of a base is"),
            ("wholly", "those that are wholly within it"),
        ),
    ),
    Setting(
        "spawn.clears_immobile",
        "R.A95",
        "whether Horde units that cannot move are destroyed with what else is in a zone that spawns",
        (("yes", "they are, like others"), ("no", "they stay, and what spawns stands around them")),
    ),
    Setting(
        "spawn.dearest",
        "R.A69",
        "whether the Horde's deep strikers look for who rides in transports",
        (
            ("aboard", "yes, where the transport is"),
            ("on_table", "no, only for units on the battlefield"),
        ),
    ),
    Setting(
        "spawn.deep_strike_rounds",
        "R.A75",
        "in which rounds spawned units with Deep Strike go into reserves",
        (("two_to_four", "in the second, third and fourth"), ("from_two", "in every one but the first")),
    ),
    Setting(
        "spawn.engagement",
        "R.A67",
        "whether the Horde spawns within engagement range",
        (
            ("allowed", "yes, and counts as having charged"),
            ("avoided", "no"),
        ),
    ),
    Setting(
        "spawn.leader_on_downgrade",
        "SP.R8",
        "whether a unit from a lower bracket than the one rolled brings a leader",
        (("yes", "one that may lead it and is not in play"), ("no", "it comes as its row says")),
    ),
    Setting(
        "spawn.marker_clear",
        "R.A70",
        "from where the 3 inches are measured that deep strikers keep off markers",
        (
            ("edge", "from the marker's edge"),
            ("centre", "from its centre"),
        ),
    ),
    Setting(
        "spawn.no_room",
        "R.A64",
        "what becomes of a unit of which some models find no room",
        (
            ("part", "those that fit are set up"),
            ("whole", "none of it is"),
        ),
    ),
    Setting(
        "spawn.pincer_first_roll",
        "R.A72",
        "whether the roll for what lands behind the players is the round's first spawn roll",
        (
            ("no", "it is none: what changes the first roll waits for the first zone's"),
            ("yes", "it is, and uses up what changes the first roll"),
        ),
    ),
    Setting(
        "spawn.removed_bonus",
        "R.A68",
        "what several Horde units removed from a zone add to its roll",
        (
            ("sum", "all their brackets"),
            ("highest", "the highest bracket alone"),
        ),
    ),
    Setting(
        "spawn.round_four",
        "S.S09",
        "what the fourth round adds to spawn rolls, as the text prints no number",
        (("one", "one, as the third round"), ("two", "two, as the fifth")),
    ),
    Setting(
        "spawn.scheme",
        "R.A97",
        "which spawn roll brings which bracket, as the text of 1.1 prints no table for a D12",
        (
            ("d12_matched", "a D12: 2, 4, 6 and 11, nearest to the odds of the printed 2D6"),
            ("d12_labels", "a D12: 3, 5, 7 and 10, the printed lowest rolls"),
            ("d12_even", "a D12: 2, 5, 8 and 11, brackets of like width"),
            ("d12_strict2", "a D12: 3, 4, 6 and 11, so that a 2 brings nothing"),
            ("v1_2d6", "2D6: 3, 5, 7 and 10, as version 1.0 prints it"),
        ),
    ),
    Setting(
        "spawn.split_policy",
        "SP.R7",
        "when two units of the bracket below come instead of the one rolled",
        (
            ("never", "only where the bracket has none that is available"),
            ("when_unavailable", "where the one that the D20 picks is not available, and so on downward"),
            ("always_if_fits", "wherever the bracket below has two that may come together"),
            ("random", "half the time; or another chance: 0.25 is a quarter"),
        ),
        takes_any_number=True,
    ),
)
"""The settings about the mode, in the order of the keys."""
