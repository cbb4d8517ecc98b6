"""The settings for how the Horde moves, advances, shoots, charges and fights.

Owns their readings, in the order of the keys. What a reading changes is the Horde AI's business.
"""

from __future__ import annotations

from engine.core.settings import Setting

ABOUT_PILOTING: tuple[Setting, ...] = (
    Setting(
        "ai.advance.assault",
        "R.A31",
        "whether one Assault weapon a model is enough",
        (
            ("models", "yes: every model with a gun has one"),
            ("weapons", "no: every gun has Assault"),
        ),
    ),
    Setting(
        "ai.advance.leave_zone",
        "R.A27",
        "whether a unit Advances merely to leave a spawning zone",
        (
            ("no", "no, only for the reasons of the text"),
            ("yes", "yes, where a Normal move leaves it in one"),
        ),
    ),
    Setting(
        "ai.charge.forced_targets",
        "R.A54",
        "what becomes of a charge whose target cannot be reached but past another unit",
        (
            ("added", "that unit is declared with it"),
            ("never", "it is not declared"),
        ),
    ),
    Setting(
        "ai.charge.odds",
        "R.A55",
        "at which odds a charge is declared",
        (
            ("any", "at any"),
            ("even", "where a seven is enough"),
        ),
    ),
    Setting(
        "ai.charge.table",
        "R.A52",
        "what is better than a close combat weapon",
        (
            (
                "weapon",
                "told by the weapon: not so named, and AP −1 or better, Damage 2 or more, any ability, or "
                "Strength above its bearer's Toughness",
            ),
            ("name", "whatever has another name"),
        ),
    ),
    Setting(
        "ai.disembark.deck",
        "R.A40",
        "which guns a Firing Deck must hold for their bearers to stay aboard",
        (
            ("in_range", "those with a target in range"),
            ("all", "all that are no side-arms, if one has a target"),
        ),
    ),
    Setting(
        "ai.disembark.reach",
        "R.A37",
        "from where the range of those who ride is measured",
        (
            ("hull_and_three", "from the hull, with the inches within which they get out"),
            ("hull", "from the hull"),
        ),
    ),
    Setting(
        "ai.disembark.when",
        "R.A38",
        "whether units get out after their transport has moved",
        (
            ("before_and_after", "they do, to shoot, if they had no reason before"),
            ("before", "no, only before"),
        ),
    ),
    Setting(
        "ai.fall_back.short",
        "R.A28",
        "what a fall back of 2 does that does not get clear",
        (
            ("least", "it goes the least distance that gets clear"),
            ("two_only", "the unit stays"),
        ),
    ),
    Setting(
        "ai.fight.order",
        "R.A60",
        "which Horde unit fights first",
        (
            ("points", "the one of most points"),
            ("random", "any, at random"),
        ),
    ),
    Setting(
        "ai.fight.pile_in",
        "R.A62",
        "whether a Horde unit piles in",
        (
            ("always", "always, as far as it may"),
            ("never", "never, as nothing tells it to"),
        ),
    ),
    Setting(
        "ai.move.added_markers",
        "R.A15",
        "whether markers that players add are goals",
        (
            ("count", "yes, as any other"),
            ("ignored", "no"),
        ),
    ),
    Setting(
        "ai.move.closest",
        "R.A01",
        "which models count for the closest visible enemy",
        (
            ("visible_model", "only models that a model of the unit sees"),
            ("any_model", "all models of a unit of which one is seen"),
        ),
    ),
    Setting(
        "ai.move.edge_slide",
        "R.A18",
        "whether what is left of a move that reaches the edge is spent along it",
        (
            ("same_move", "yes"),
            ("next_move", "no, the unit goes along the edge from its next move on"),
        ),
    ),
    Setting(
        "ai.move.home_marker",
        "R.A14",
        "whether a marker of the Horde's zone is ever a goal",
        (
            ("never", "never"),
            ("outside_zones", "where it is in no spawning zone"),
        ),
    ),
    Setting(
        "ai.move.marker_arrival",
        "R.A16",
        "when a unit has arrived at a marker",
        (
            ("whole_unit", "when all its models are in range and hardly any inch is left to gain"),
            ("any_model", "when one model is in range"),
        ),
    ),
    Setting(
        "ai.move.marker_sight",
        "R.A10",
        "when a flat marker is visible",
        (
            ("any_point", "when any line to any point of its disc is free"),
            ("centre", "when a line to its centre is free"),
        ),
    ),
    Setting(
        "ai.move.seen_by",
        "R.A02",
        "how many models of a unit must see an enemy",
        (
            ("one", "one is enough"),
            ("all", "all of them"),
        ),
    ),
    Setting(
        "ai.move.shared_marker",
        "R.A12",
        "who leaves a marker that several Horde units share",
        (
            ("holder_stays", "all but the one that holds it"),
            ("all_leave", "all, as each sees it controlled by another"),
        ),
    ),
    Setting(
        "ai.move.stationary_gain",
        "R.A23",
        "from which gain on a bonus for standing still is significant",
        (
            ("0.15", "15% more expected damage at the closest legal target"),
            ("0.3", "30% more"),
            ("0", "any gain"),
        ),
        takes_any_number=True,
    ),
    Setting(
        "ai.move.unfightable",
        "R.A09",
        "which visible enemies are no targets of a move",
        (
            ("aircraft", "AIRCRAFT, for who neither flies nor has them in the range of a gun"),
            ("aircraft_and_lone", "those, and Lone Operatives farther away than 12"),
            ("none", "none"),
        ),
    ),
    Setting(
        "ai.move.unseen_markers",
        "R.A19",
        "whether a marker that is not visible is a goal",
        (
            ("ignored", "no"),
            ("count", "yes, as one that is"),
        ),
    ),
    Setting(
        "ai.order.units",
        "R.A08",
        "which Horde unit moves, shoots and charges first",
        (
            ("closest", "the closest to its target"),
            ("dearest", "the one that costs most"),
        ),
    ),
    Setting(
        "ai.shoot.anti_scope",
        "R.A44",
        "whether one Anti weapon binds the whole model",
        (
            ("weapon", "no, only that weapon seeks what it is against"),
            ("model", "yes, all its guns seek that"),
        ),
    ),
    Setting(
        "ai.shoot.granted_prefs",
        "R.A48",
        "whether abilities that cards give change whom weapons prefer",
        (
            ("false", "no, only what is printed does"),
            ("true", "yes"),
        ),
    ),
    Setting(
        "ai.shoot.indirect",
        "R.A49",
        "whether Indirect Fire goes at what is closest but unseen",
        (
            ("visible_first", "only where nothing is visible"),
            ("closest", "yes, wherever it is the closest"),
        ),
    ),
    Setting(
        "ai.shoot.lone_leader",
        "R.A46",
        "whether a CHARACTER that leads nobody is a unit with a Leader",
        (
            ("no", "no"),
            ("yes", "yes"),
        ),
    ),
    Setting(
        "ai.shoot.melta_mixed",
        "R.A47",
        "when Melta takes a unit of several kinds for INFANTRY or SWARM",
        (
            ("any", "if any part of it is"),
            ("all", "if all of it is"),
        ),
    ),
    Setting(
        "ai.shoot.pistols",
        "R.A50",
        "whether a model fires its pistols or its guns",
        (
            ("damage", "whatever is expected to do more damage"),
            ("guns_first", "its guns, if they have a target"),
        ),
    ),
    Setting(
        "ai.shoot.preference_order",
        "R.A45",
        "which of a weapon's several preferences decides",
        (
            ("anti_first", "Anti before Precision before Melta"),
            ("closest", "the one whose target is the closest"),
        ),
    ),
    Setting(
        "ai.stay.majority",
        "R.A21",
        "how many models with Heavy weapons are most of a unit",
        (
            ("more_than_half", "more than half"),
            ("half", "half are enough"),
        ),
    ),
    Setting(
        "ai.stay.primary_gun",
        "R.A22",
        "what the primary gun of a single model is",
        (
            ("strongest", "that of most attacks × damage × strength"),
            ("longest", "that of the longest range"),
        ),
    ),
)
