"""The attack sequence against exact chances: every way the dice can fall.

The weapons and targets are in odds.toml. The chances are worked out in `odds` from the rules alone, as
fractions; the engine's own sequence is then run once for every way of its dice, and the two must be equal.
Where there are too many ways, a sample of fixed seeds must come near.
"""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from datasheets.library import Library
from engine.core.dice import Dice
from engine.core.event import Shot
from engine.core.facts import HORDE, PLAYERS, BoardFacts, TerrainFacts, WeaponFacts
from engine.core.game import Game
from engine.core.request import Choose, Chosen, Order, Ordered, Steps
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.records.rulebook import Rulebook
from engine.scenario.situation import Stand, situation
from engine.w40k.attack.attack_sequence import resolve
from tests.engine import odds
from tests.engine.odds import Attacks

LIBRARY = Library()
FACTIONS = ("space-marines", "adepta-sororitas", "chaos-space-marines", "adeptus-custodes", "chaos-daemons")
RULEBOOK = Rulebook.load(LIBRARY, HORDE_1_1.language, FACTIONS)
WALL = TerrainFacts(
    id="wall", kind="container", footprint=((18, 0), (20, 0), (20, 44), (18, 44)), height=20.0
)
RUIN = TerrainFacts(
    id="ruin", kind="ruin", footprint=((7, 2), (13, 2), (13, 8), (7, 8)), height=8.0, floors=(6.0,)
)

TERRAIN = {piece.id: piece for piece in (WALL, RUIN)}
CHARACTERISTICS = ("T", "Sv", "W", "Inv", "InvOnly")


def cases(kind: str) -> list[Any]:
    """Return the cases of this kind: how each is set up, and the attacks that it comes to."""
    found = []
    for told in DATA[kind]:
        expected = dict(told["comes_to"])
        expected["models"] = tuple(expected.get("models", (1,)))
        if expected.get("hit") == 0:
            expected["hit"] = None
        marks = [pytest.mark.rule(*told["rules"])]
        found.append(pytest.param(told, Attacks(**expected), id=told["name"], marks=marks))
    return found


def foes(told: dict[str, Any]) -> dict[str, Any]:
    """Return a target's facts: its characteristics beside the rest."""
    return {
        "characteristics": tuple((name, told[name]) for name in CHARACTERISTICS if name in told),
        "abilities": tuple(told.get("abilities", ())),
        "leaders": told.get("leaders", 0),
    }


def game_of(setup: dict[str, Any], volley: Callable[[Game], Steps[bool]]) -> Game:
    """Return a game in which some models of the Horde attack a unit of the players.

    Each of these models has one weapon.
    """
    facts = {"name": "gun", "range": None if setup.get("melee") else 24.0, "attacks": "1", "skill": 3}
    facts |= {"strength": 4, "ap": -1, "keywords": tuple(setup.get("words", ())), **setup.get("weapon", {})}
    models = range(setup.get("models", 1))
    stands = [
        Stand(
            "shooters",
            HORDE,
            [(10.0, 5.0 + 1.5 * i) for i in range(setup.get("shooters", 1))],
            keywords=("INFANTRY", *setup.get("faction", ())),
            characteristics=tuple(setup.get("body", {}).items()),
            abilities=tuple(setup.get("abilities", ())),
            weapons=(WeaponFacts(**facts),),
            marks=tuple(setup.get("marks", {"moved": "normal"}).items()),
        ),
        Stand(
            "target",
            PLAYERS,
            [(setup.get("x", 30.0), 5.0 + 1.3 * i) for i in models],
            **foes(setup.get("target", {})),
        ),
    ]
    if "friends" in setup:
        stands.append(Stand("friends", HORDE, [tuple(at) for at in setup["friends"]]))
    return situation(
        stands,
        [Step("volley", "shooting", volley, HORDE)],
        HORDE_1_1,
        library=LIBRARY,
        rulebook=RULEBOOK,
        board=BoardFacts(terrain=tuple(TERRAIN[name] for name in setup.get("terrain", ()))),
        active=setup.get("active", ()),
        round_number=setup.get("round", 2),
    )


def carried_out(steps: Steps[None]) -> None:
    """Run attacks to their end: models suffer in order, and Precision is used."""
    answer: Any = None
    while True:
        try:
            request = steps.send(answer)
        except StopIteration:
            return
        if isinstance(request, Order):
            answer = Ordered(ids=tuple(item.id for item in request.items))
        else:
            assert isinstance(request, Choose)
            answer = Chosen(ids=(request.options[0].id,))


class Range:
    """A target that is as it was before every run of the attacks."""

    def __init__(self, game: Game, raised: float) -> None:
        """Keep how things stand."""
        self.game = game
        self.units = list(game.state.position.units.values())
        self.rows = [unit.rows for unit in self.units]
        self.marks = [dict(unit.marks.values) for unit in self.units]
        self.wounds = [model.wounds for model in game.state.position.models]
        self.on = game.state.position.table.on.copy()
        if raised:
            table = game.state.position.table
            for row in self.rows[0]:
                x, y, _, facing = table.after(row, ())
                table.put({row: (x, y, raised, facing)})

    def attacked(self, melee: bool) -> None:
        """Let all models attack once."""
        unit = self.game.state.position.units["shooters"]
        shots = tuple(Shot(model=row, weapon=0, target="target") for row in unit.rows)
        carried_out(resolve(self.game, unit, shots, melee=melee))

    def left(self, who: str = "target") -> tuple[int, ...]:
        """Return the wounds that each model of a unit has left."""
        return tuple(m.wounds for m in self.game.state.position.models if m.unit == who)

    def restore(self) -> None:
        """Undo whatever the attacks did."""
        for unit, rows, marks in zip(self.units, self.rows, self.marks, strict=True):
            unit.rows, unit.where = rows, "table"
            unit.lose(())
            unit.marks.values = dict(marks)
        for model, wounds in zip(self.game.state.position.models, self.wounds, strict=True):
            model.wounds = wounds
        table = self.game.state.position.table
        for row in (table.on != self.on).nonzero()[0].tolist():
            table.put({row: table.after(row, ())})
        self.game.events.clear()
        self.game.lines.clear()


def engine_odds(setup: dict[str, Any], alike: Any, who: str = "target") -> dict[tuple[int, ...], Fraction]:
    """Return the chances of all states of a unit, by every way that the engine's dice can fall.

    Of the faces that are `alike` one is tried for all.
    """
    found: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)

    def volley(game: Game) -> Steps[bool]:
        tree = odds.Tree(alike)
        field, chance = Range(game, setup.get("raised", 0.0)), game.dice
        game.dice = tree
        for _ in tree.ways():
            field.attacked(setup.get("melee", False))
            found[field.left(who)] += tree.chance
            field.restore()
        game.dice = chance
        return False
        yield

    game_of(setup, volley)
    return dict(found)


DATA = tomllib.loads(Path(__file__).with_name("odds.toml").read_text())


@pytest.mark.parametrize(("setup", "expected"), cases("exact"))
def test_the_engine_s_dice_come_to_the_exact_odds(setup: dict[str, Any], expected: Any) -> None:
    several = expected.count != "1" or expected.sustained not in ("0", "1")
    alike = odds.lumps(expected) if several else {}
    assert engine_odds(setup, alike) == odds.outcome(expected)


@pytest.mark.rule("CORE.WPN.HAZ", "CORE.ATK.7")
@pytest.mark.parametrize(("wounds", "roll"), [(1, 7), (3, 7), (5, 7), (5, 5)])
def test_the_odds_of_a_hazardous_weapon(wounds: int, roll: int) -> None:
    """On a 1 its bearer suffers three mortal wounds, each of which it may ignore."""
    setup = {
        "words": ["hazardous", "torrent"],
        "target": {"Sv": 2},
        "body": {"W": wounds},
        "abilities": (f"feel no pain {roll}+",) if roll < 7 else (),
    }
    exact: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    exact[wounds,] += Fraction(5, 6)
    for lost, chance in odds.ignored(3, roll).items():
        exact[max(0, wounds - lost),] += chance / 6
    assert engine_odds(setup, odds.lumps(Attacks(save=2)), "shooters") == exact


@pytest.mark.parametrize(("setup", "expected"), cases("sampled"))
def test_many_attacks_come_near_the_exact_odds(setup: dict[str, Any], expected: Any) -> None:
    """Over 500 runs of one seed, each total of lost wounds comes near its exact chance.

    Its share is within 4.5 standard errors of the chance.
    """
    runs = 500
    found: Counter[int] = Counter()

    def volley(game: Game) -> Steps[bool]:
        field, chance = Range(game, 0.0), game.dice
        game.dice = Dice(7)
        for _ in range(runs):
            field.attacked(False)
            found[sum(field.left())] += 1
            field.restore()
        game.dice = chance
        return False
        yield

    game_of(setup, volley)
    exact: dict[int, Fraction] = defaultdict(Fraction)
    for state, p in odds.outcome(expected).items():
        exact[sum(state)] += p
    assert set(found) <= set(exact)
    for total, p in exact.items():
        error = float(p * (1 - p) / runs) ** 0.5
        assert abs(found[total] / runs - float(p)) < 4.5 * error + 1 / runs, total


ABILITIES = (
    "anti-",
    "blast",
    "devastating wounds",
    "extra attacks",
    "heavy",
    "ignores cover",
    "indirect fire",
)
ABILITIES += (
    "lance",
    "lethal hits",
    "melta",
    "precision",
    "rapid fire",
    "sustained hits",
    "torrent",
    "twin-linked",
)


@pytest.mark.parametrize("ability", ABILITIES)
def test_each_ability_that_changes_dice_is_tried_alone_and_with_others(ability: str) -> None:
    """Assault, one shot, psychic and pistol change none; hazardous has odds of its own."""
    told = [case.get("words", []) for kind in ("exact", "sampled") for case in DATA[kind]]
    with_it = [words for words in told if any(word.startswith(ability) for word in words)]
    assert len(told) >= 40
    assert [words for words in with_it if len(words) == 1]
    assert [words for words in with_it if len(words) > 1]
