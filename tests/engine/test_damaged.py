"""Models with few wounds left: what they lose, from when, until when, and what is foreseen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ai.autopilot.appraisal import Appraisal
from ai.autopilot.prospect import Prospect
from datasheets.library import Library
from datasheets.schema import RosterUnit
from engine.core import event as ev
from engine.core.facts import WeaponFacts
from engine.core.game import Game
from engine.core.state import Unit
from engine.scenario.situation import Stand
from engine.w40k.activation.objective import control
from engine.w40k.muster import muster, roster_part
from engine.w40k.view import View
from engine.w40k.words import condition

Play = Callable[..., Game]
Make = Callable[..., Stand]
LIBRARY = Library()
TANK = {"characteristics": (("W", 12), ("OC", 5)), "damaged": (4, 1, 3)}


def wounds(game: Game, row: int, left: int) -> None:
    """Bring a model to a number of wounds, as an event tells it."""
    model = game.state.position.models[row]
    kind = ev.Damaged if left < model.wounds else ev.Healed
    game.log(kind(unit=model.unit, model=row, amount=abs(left - model.wounds), wounds=left))


def hit_modifier(game: Game, row: int = 0) -> float:
    """Return the modifier of a model's hit rolls."""
    return number(game, "attack.hit-modifier", row)


def number(game: Game, name: str, row: int = 0, weapon: WeaponFacts | None = None) -> float:
    model = game.state.position.models[row]
    unit = game.state.position.units[model.unit]
    weapon = weapon or unit.facts.weapons[0]
    names = {"attacker": unit, "target": unit, "model": model, "weapon": weapon, "melee": weapon.is_melee}
    return game.query.number(name, 0, **names).value


def level(game: Game, row: int = 0) -> int:
    """Return the Objective Control of a model."""
    model = game.state.position.models[row]
    return control(game, game.state.position.units[model.unit], model)


@pytest.mark.rule("CORE.ABL.DAMAGED")
@pytest.mark.parametrize(("left", "lost", "oc"), [(12, 0, 5), (5, 0, 5), (4, -1, 2), (1, -1, 2), (0, 0, 5)])
def test_the_bracket_ends_at_one_wound_and_begins_where_it_says(
    play: Play, marines: Make, left: int, lost: int, oc: int
) -> None:
    game = play([marines("tank", **TANK)])
    if left < 12:
        wounds(game, 0, left)
    assert (hit_modifier(game), level(game)) == (lost, oc)


@pytest.mark.rule("CORE.ABL.DAMAGED")
def test_who_is_healed_above_the_bracket_is_damaged_no_longer(play: Play, foes: Make) -> None:
    game = play([foes("tank", **TANK)])
    wounds(game, 0, 3)
    assert (hit_modifier(game), level(game)) == (-1, 2)
    wounds(game, 0, 4)
    assert (hit_modifier(game), level(game)) == (-1, 2)
    wounds(game, 0, 5)
    assert (hit_modifier(game), level(game)) == (0, 5)


@pytest.mark.rule("CORE.ABL.DAMAGED")
def test_a_model_loses_what_is_its_own_alone(play: Play, marines: Make) -> None:
    game = play(
        [marines("tanks", at=((30.0, 8.0), (33.0, 8.0)), **TANK), marines("squad", at=((20.0, 8.0),))]
    )
    wounds(game, 1, 2)
    assert [hit_modifier(game, row) for row in range(3)] == [0, -1, 0]
    assert [level(game, row) for row in range(3)] == [5, 2, 1]
    tanks, models = game.state.position.units["tanks"], game.state.position.models
    assert condition.is_damaged(game, tanks)
    assert [condition.is_damaged(game, model) for model in models] == [False, True, False]
    assert [condition.hit_lost(game, model) for model in models[:2]] == [0, 1]
    assert [condition.control_lost(game, model) for model in models] == [0, 3, 0]


@pytest.mark.rule("CORE.ABL.DAMAGED")
def test_control_is_never_less_than_none(play: Play, marines: Make) -> None:
    game = play([marines("tank", characteristics=(("W", 12), ("OC", 2)), damaged=(4, 1, 3))])
    wounds(game, 0, 4)
    assert level(game) == 0


@pytest.mark.rule("CORE.ABL.DAMAGED")
def test_what_attacks_do_on_average_is_foreseen_anew_within_a_phase(
    play: Play, marines: Make, foes: Make
) -> None:
    """3+ to hit, 4+ to wound, 3+ to save: a quarter of the hits are lost."""
    at = ((30.0, 8.0), (33.0, 8.0))
    game = play([marines("tanks", at=at, **TANK), foes(characteristics=(("W", 9),))])
    view = View(game, "p1")
    tanks, target = game.state.position.units["tanks"], game.state.position.units["foes"]

    def foreseen() -> list[float]:
        return [Appraisal(view).damage(tanks, row, 0, target) * 9 for row in tanks.rows]

    assert foreseen() == pytest.approx([1, 1])
    both = Appraisal(view).melee(tanks, target)
    wounds(game, 0, 4)
    assert foreseen() == pytest.approx([3 / 4, 1])
    assert Appraisal(view).melee(tanks, target) == pytest.approx(both * 7 / 8)
    wounds(game, 0, 5)
    assert foreseen() == pytest.approx([1, 1])


@pytest.mark.rule("CORE.ABL.DAMAGED")
def test_the_autopilot_counts_what_a_damaged_model_controls(play: Play, marines: Make, foes: Make) -> None:
    tank = foes("tank", at=((30.0, 24.0),), **TANK)
    game = play([marines(at=((30.0, 20.0),), characteristics=(("OC", 3),)), tank])
    view = View(game, "p1")
    marker = view.objectives["centre"]
    assert not _prospect(view)._wins(marker, 1)
    wounds(game, 1, 4)
    assert _prospect(view)._wins(marker, 1)


def _prospect(view: View) -> Prospect:
    return Prospect(view, view.unit("marines"))


# what is odd


def fielded(play: Play, datasheet: str) -> tuple[Game, Unit]:
    """Return a battle with a unit of the Horde, as printed, and that unit."""
    game = play([])
    size = LIBRARY.datasheet(datasheet).unit_size.minimum
    part = roster_part(LIBRARY, RosterUnit(id="odd", datasheet=datasheet, models=size))
    facts: Any = muster(
        "odd", [part], side="horde", player="horde", first_row=0, rules=game.rulebook.of_datasheets
    )
    poses = {model.row: (10.0 + 5 * model.row, 30.0, 0.0, 0.0) for model in facts.models}
    game.log(ev.Placed(unit="odd", facts=facts, poses=poses))
    return game, game.state.position.units["odd"]


@pytest.mark.rule("DATASHEET.damaged-king", "DATASHEET.damaged-attacks")
def test_a_damaged_szarekh_worsens_his_unit_and_halves_his_own_attacks(play: Play) -> None:
    game, unit = fielded(play, "necrons/the-silent-king")
    king = next(row for row in unit.rows if _is_king(game, row))
    menhir = next(row for row in unit.rows if row != king)
    assert [model.facts.damaged for model in game.state.position.models] == [
        6 if row == king else 0 for row in unit.rows
    ]
    staff = next(weapon for weapon in unit.facts.weapons if weapon.name == "Staff of Stars")
    beam = next(weapon for weapon in unit.facts.weapons if weapon.name == "Annihilator beam")
    assert number(game, "attack.hit-modifier", menhir) == 0
    wounds(game, king, 6)
    assert [number(game, "attack.hit-modifier", row) for row in unit.rows] == [-1] * len(unit.rows)
    assert number(game, "weapon.attacks-modifier", king, staff) == -6
    assert number(game, "weapon.attacks-modifier", menhir, beam) == 0
    wounds(game, king, 0)
    assert number(game, "attack.hit-modifier", menhir) == 0


def _is_king(game: Game, row: int) -> bool:
    return game.state.position.models[row].facts.name == "Szarekh"


@pytest.mark.rule("DATASHEET.damaged-attacks", "DATASHEET.damaged-relics")
def test_a_damaged_triumph_attacks_half_as_often_and_hits_as_before(play: Play) -> None:
    game, unit = fielded(play, "adepta-sororitas/triumph-of-saint-katherine")
    pistols, relics = unit.facts.weapons
    assert condition.printed_attacks(game, relics) == 18
    wounds(game, unit.rows[0], 7)
    assert number(game, "weapon.attacks-modifier", 0, relics) == 0
    wounds(game, unit.rows[0], 6)
    assert [number(game, "weapon.attacks-modifier", 0, each) for each in (pistols, relics)] == [-3, -9]
    assert hit_modifier(game) == 0


@pytest.mark.rule("DATASHEET.damaged-powers")
def test_a_damaged_vault_controls_less_and_hits_as_before(play: Play) -> None:
    game, unit = fielded(play, "necrons/tesseract-vault")
    before = level(game)
    wounds(game, unit.rows[0], 8)
    assert (hit_modifier(game), level(game)) == (0, before - 4)


def test_dice_are_not_halved(play: Play) -> None:
    weapon = WeaponFacts(name="bellow", range=12.0, attacks="2D6")
    assert condition.printed_attacks(play([]), weapon) == 0
    assert condition.printed_attacks(play([]), None) == 0


@pytest.mark.rule("CORE.ABL.DAMAGED")
def test_every_bracket_is_some_kinds_and_is_told_with_its_status() -> None:
    sheets = [each for name in LIBRARY.factions() for each in LIBRARY.datasheets(name) if each.damaged]
    assert len(sheets) == 360
    assert all(any(map(sheet.bracket, sheet.models)) for sheet in sheets)
    told = {sheet.id: each for sheet in sheets for each in sheet.abilities if each.kind == "damaged"}
    assert len(told) == 360
    odd = {name: each.clause for name, each in told.items() if each.clause != "CORE.ABL.DAMAGED"}
    assert odd == {
        "adepta-sororitas/triumph-of-saint-katherine": "DATASHEET.damaged-relics",
        "chaos-daemons/skarbrand": "DATASHEET.damaged-carnage",
        "necrons/tesseract-vault": "DATASHEET.damaged-powers",
        "necrons/the-silent-king": "DATASHEET.damaged-attacks",
        "world-eaters/skarbrand": "DATASHEET.damaged-carnage",
    }
    assert [name for name, each in told.items() if each.status != "modelled"] == [
        "adepta-sororitas/triumph-of-saint-katherine",
        "necrons/tesseract-vault",
    ]
