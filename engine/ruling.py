"""The settings: which points of the text are read in more than one way, how, and what is the default.

Owns the one list of them; `docs/RULINGS.md` tells the same to people. What a reading changes is its step's
or knob's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from datasheets.errors import HordeError

SYNONYMS = {"true": "yes", "yes": "true", "false": "no", "no": "false", "1": "true", "0": "false"}


@dataclass(frozen=True, slots=True)
class Setting:
    """A point of the text that can be read in more than one way; the first reading is the default."""

    key: str
    ruling: str
    """The id of the doubt, as `docs/RULINGS.md` has it."""
    doubt: str
    readings: tuple[tuple[str, str], ...]
    """What may be said, each with what it means in a line."""

    @property
    def default(self) -> str:
        """Return the reading of a battle that sets none."""
        return self.readings[0][0]

    @property
    def values(self) -> tuple[str, ...]:
        """Return what may be said, the default first."""
        return tuple(value for value, _ in self.readings)


class UnknownRuling(HordeError):  # noqa: N818 - a sentence for people, like its kin
    """A key that is no setting, or a value that the setting does not have."""


SETTINGS: tuple[Setting, ...] = (
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
    ),
    Setting(
        "ai.move.unfightable",
        "R.A09",
        "which visible enemies are no targets of a move",
        (
            ("aircraft", "AIRCRAFT, for who neither flies nor has a gun"),
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
    Setting(
        "horde.battle_shock",
        "R.A80",
        "whether the Horde's units test for Battle-shock",
        (("yes", "they do, as any army's"), ("no", "not in the Horde's Command phase")),
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
        "order.outside_turn",
        "R.ORDER",
        "the order of rules that apply at once outside any turn",
        (
            ("players_first", "the players order theirs, then the Horde's come at random"),
            ("roll_off", "the side that rolls higher on a die orders them all, the Horde at random"),
        ),
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
        (("false", "never"), ("true", "they do, each as a solid piece of its own shape and height")),
    ),
    Setting(
        "spawn.aircraft",
        "ARMY.9",
        "whether AIRCRAFT come out of the spawning tables",
        (("no", "they are barred, as the text advises"), ("yes", "they come, hovering if they can")),
    ),
    Setting(
        "spawn.clears_immobile",
        "R.A95",
        "whether Horde units that cannot move are destroyed with what else is in a zone that spawns",
        (("yes", "they are, like others"), ("no", "they stay, and what spawns stands around them")),
    ),
    Setting(
        "spawn.deep_strike_rounds",
        "R.A75",
        "in which rounds spawned units with Deep Strike go into reserves",
        (("two_to_four", "in the second, third and fourth"), ("from_two", "in every one but the first")),
    ),
    Setting(
        "spawn.leader_on_downgrade",
        "SP.R8",
        "whether a unit from a lower bracket than the one rolled brings a leader",
        (("yes", "one that may lead it and is not in play"), ("no", "it comes as its row says")),
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
        "spawn.round_four",
        "S.S09",
        "what the fourth round adds to spawn rolls, as the text prints no number",
        (("one", "one, as the third round"), ("two", "two, as the fifth")),
    ),
)
"""Every setting, in the order of the keys."""


def setting(key: str) -> Setting:
    """Return a setting by its key or by its ruling's id. Raises UnknownRuling that names all keys."""
    for each in SETTINGS:
        if key.lower() in (each.key, each.ruling.lower()):
            return each
    raise UnknownRuling(f"There is no ruling '{key}' to set; there is {', '.join(s.key for s in SETTINGS)}.")


def reading(key: str, value: object) -> str:
    """Return a value as the setting spells it ("True" is its "true" or "yes"). Raises UnknownRuling."""
    found = setting(key)
    said = str(value).lower()
    for spelt in (said, SYNONYMS.get(said, said)):
        if spelt in found.values:
            return spelt
    allowed = " or ".join(found.values)
    raise UnknownRuling(f"Ruling '{found.key}' cannot be '{value}'; it may be {allowed}.")


def readings(said: Mapping[str, object] | Iterable[tuple[str, object]]) -> dict[str, str]:
    """Return rulings as a battle keeps them, each key and value as spelt here. Raises UnknownRuling."""
    return {setting(key).key: reading(key, value) for key, value in dict(said).items()}
