"""The settings about the core rules, over which versions and tables differ."""

from __future__ import annotations

from engine.core.settings import Setting

ABOUT_THE_EDITION: tuple[Setting, ...] = (
    Setting(
        "cover.toe_in",
        "S.L09",
        "whether a model that is only partly within a ruin has its cover",
        (
            ("seen", "no: only if it is wholly within, or not fully visible"),
            ("within", "yes, with any part of its base"),
        ),
    ),
    Setting(
        "fight.bare_hands",
        "CORE.FGT.9",
        "whether a model without a melee weapon strikes",
        (
            ("none", "no: every datasheet lists what its models strike with"),
            ("weapon", "yes, with a close combat weapon: A 1, WS 4+, S 4, AP 0, D 1"),
        ),
    ),
    Setting(
        "move.fly_charges",
        "CORE.MOVE.10",
        "whether units that FLY charge over other models",
        (("yes", "yes, as they move"), ("no", "no, they charge as those do that walk")),
    ),
    Setting(
        "shoot.indirect_blind",
        "CORE.WPN.IND",
        "whether Indirect Fire at what nobody sees misses on 1 to 3",
        (("yes", "yes, as the update of 2024 has it"), ("no", "no, it is only harder")),
    ),
    Setting(
        "shoot.towering_plunges",
        "CORE.TER.7",
        "whether TOWERING models have plunging fire",
        (
            ("no", "no: only from a floor high up in a ruin"),
            ("within_12", "yes, at targets on the ground within 12 inches"),
        ),
    ),
    Setting(
        "stratagem.tank_shock",
        "CORE.STR.6",
        "how many dice Tank Shock rolls",
        (
            ("toughness", "the VEHICLE's Toughness"),
            (
                "strength",
                "the Strength of its strongest melee weapon, and two more if that is above the Toughness of "
                "who is run down",
            ),
        ),
    ),
    Setting(
        "terrain.swarm_in_ruins",
        "CORE.TER.6",
        "whether SWARM units go through the walls and floors of ruins",
        (("no", "no, as all but INFANTRY and BEASTS"), ("yes", "yes, as INFANTRY and BEASTS do")),
    ),
)
"""The settings about the core rules, in the order of the keys."""
