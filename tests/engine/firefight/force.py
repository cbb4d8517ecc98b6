"""The units and the battlefield of the skirmishes of Firefight, as plain facts.

The facts come from its army lists. A model has a Quality and a Defense, and no characteristic of the 10th
edition.
"""

from __future__ import annotations

from engine.core.facts import (
    HORDE,
    PLAYERS,
    BaseFacts,
    BoardFacts,
    ModelFacts,
    ObjectiveFacts,
    PartFacts,
    Side,
    UnitFacts,
    WeaponFacts,
)

BOARD = BoardFacts(
    size=(48.0, 48.0),
    defender_edge=((0.0, 0.0), (48.0, 0.0)),
    horde_edge=((0.0, 48.0), (48.0, 48.0)),
    edge_centre=(24.0, 0.0),
    objectives=(ObjectiveFacts(id="west", at=(12.0, 24.0)), ObjectiveFacts(id="east", at=(36.0, 24.0))),
)


def gun(name: str, reach: float, attacks: int = 1, ap: int = 0) -> WeaponFacts:
    return WeaponFacts(name=name, item=name, range=reach, attacks=str(attacks), ap=-ap)


def blade(name: str, attacks: int = 1, ap: int = 0) -> WeaponFacts:
    return WeaponFacts(name=name, item=name, attacks=str(attacks), ap=-ap)


BROTHER = (3, 3, (gun("heavy rifle", 24, 1, 1), blade("combat blade", 1)), ("fearless",))
DESTROYER = (3, 3, (blade("fists", 3),), ("fearless", "tough 3"))
ORC = (4, 5, (gun("pistol", 12, 1), blade("choppa", 2)), ("bad shot", "furious"))


def squad(
    name: str,
    side: Side,
    models: int,
    first_row: int,
    profile: tuple[int, int, tuple[WeaponFacts, ...], tuple[str, ...]],
) -> UnitFacts:
    """Return a unit of like models, whose rows of the table begin with `first_row`."""
    quality, defense, weapons, abilities = profile
    base = BaseFacts(length=25 / 25.4, width=25 / 25.4)
    return UnitFacts(
        id=name,
        name=name,
        side=side,
        player=HORDE if side == HORDE else "p1",
        parts=(
            PartFacts(
                datasheet=f"firefight/{name}",
                name=name,
                keywords=frozenset(),
                abilities=abilities,
                starting_models=models,
            ),
        ),
        models=tuple(
            ModelFacts(
                row=first_row + i,
                name=name,
                base=base,
                height=1.5,
                characteristics={"Quality": quality, "Defense": defense},
                weapons=tuple(range(len(weapons))),
            )
            for i in range(models)
        ),
        weapons=weapons,
    )


FIELDED = (
    squad("brothers", PLAYERS, 3, 0, BROTHER),
    squad("orcs", HORDE, 4, 3, ORC),
    squad("destroyer", PLAYERS, 1, 7, DESTROYER),
    squad("boys", HORDE, 3, 8, ORC),
)
"""Two units a side, in the order in which they are set up."""
