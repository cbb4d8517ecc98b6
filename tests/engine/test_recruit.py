"""Purchases from a player's own spawning table: reinforcements, promotions, patching up."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from datasheets.library import Library
from engine.core import event as ev
from engine.core.game import Game
from engine.core.log import AnswerLine
from engine.core.request import Choose, Chosen, Place, Places, Said, Steps
from engine.core.ruleset import Step
from engine.core.state import Unit
from engine.horde.steps import recruit, resupply
from engine.horde.steps.card import reveal
from engine.w40k.muster import horde_part, muster
from engine.w40k.seat_log import SeatLog

Play = Callable[..., Game]
LIBRARY = Library()
TABLE = LIBRARY.spawn_table("space-marines")


def fielded(sheets: Sequence[str], models: int, at: tuple[float, float] = (30.0, 6.0), sp: int = 20) -> Step:
    """Return a step that gives p1 SP and a real unit, in rows of five."""

    def run(game: Game) -> Steps[bool]:
        game.log(ev.Gained(player="p1", what="sp", amount=sp, total=sp))
        parts = [horde_part(LIBRARY, sheet, models if i == 0 else 1) for i, sheet in enumerate(sheets)]
        facts = muster("squad", parts, side="players", player="p1", first_row=len(game.state.position.models))
        poses = {
            m.row: (at[0] + 1.6 * (i % 5), at[1] - 1.6 * (i // 5), 0.0, 0.0)
            for i, m in enumerate(facts.models)
        }
        game.log(ev.Placed(unit="squad", facts=facts, poses=poses))
        return False
        yield

    return Step("field", "command", run, "players")


def kill(count: int) -> Step:
    """Return a step that destroys the unit's last models."""

    def run(game: Game) -> Steps[bool]:
        from engine.w40k.attack.damage import destroy_model

        unit = game.state.position.units["squad"]
        for row in unit.rows[-count:]:
            yield from destroy_model(game, unit, game.state.position.models[row], cause="test")
        return False

    return Step("kill", "command", run, "players")


def buying(wanted: str) -> Callable[[Game], str]:
    """Return an answer that buys one thing where it can be bought, and is done then."""

    def answer(game: Game) -> str:
        assert isinstance(game.pending, Choose)
        offered = [option.id for option in game.pending.options]
        bought = any(isinstance(e, ev.Purchased) for e in game.events)
        return wanted if wanted in offered and not bought else "done"

    return answer


def first(game: Game) -> str:
    """Choose the first option."""
    assert isinstance(game.pending, Choose)
    return game.pending.options[0].id


SUPPLY = Step("players.command.resupply", "command", resupply.resupply, "players")
SQUAD = ("space-marines/intercessor-squad",)


def squad(game: Game) -> Unit:
    """Return the unit of the test."""
    return game.state.position.units["squad"]


@pytest.mark.rule("BUY.reinforcements", "SP.R4")
@pytest.mark.parametrize(("roll", "bracket"), [(1, 0), (2, 0), (3, 1), (4, 2), (6, 3), (10, 3), (11, 4)])
def test_reinforcements_come_from_the_bracket_rolled(play: Play, roll: int, bracket: int) -> None:
    game = play(
        [],
        fielded(SQUAD, 5),
        SUPPLY,
        player_faction="space-marines",
        dice={"reinforcements": [roll]},
        answers={"purchase": buying("buy/reinforcements"), "recruit": first},
    )
    come = [u for u in game.state.position.units.values() if u.where == "reserves"]
    assert game.state.players["p1"].sp == 8
    assert len(come) == (1 if bracket else 0)
    if bracket:
        sheets = {i for entry in TABLE.brackets[bracket] for unit in entry.units for i in unit.datasheets}
        assert come[0].facts.parts[0].datasheet in sheets
        assert come[0].player == "p1"


@pytest.mark.rule("BUY.reinforcements")
def test_a_faction_without_a_table_has_no_reinforcements(play: Play) -> None:
    offered: list[str] = []

    def look(game: Game) -> str:
        assert isinstance(game.pending, Choose)
        offered.extend(option.id for option in game.pending.options)
        return "done"

    play([], fielded(SQUAD, 5), SUPPLY, answers={"purchase": look})
    assert "buy/basic-tactics" in offered
    assert "buy/reinforcements" not in offered
    assert "buy/patched-up" not in offered


def where_it_fell(game: Game) -> Places:
    """Set a model that returns up at the place that it had."""
    request = game.pending
    assert isinstance(request, Place)
    x, y = map(float, game.state.position.table.xy[request.rows[0]])
    return Places(poses={request.rows[0]: (x, y, 0.0, 0.0)})


@pytest.mark.rule("BUY.patched-up")
def test_patching_up_brings_every_model_back_for_its_brackets_lowest_roll(play: Play) -> None:
    game = play(
        [],
        fielded(SQUAD, 5),
        kill(3),
        SUPPLY,
        player_faction="space-marines",
        answers={"purchase": buying("buy/patched-up"), "target": "squad", "return": where_it_fell},
    )
    least = {1: 2, 2: 4, 3: 6, 4: 11}
    brackets = [
        b
        for b, rows in TABLE.brackets.items()
        for e in rows
        if SQUAD[0] in e.units[0].datasheets and e.units[0].models >= 5
    ]
    assert len(squad(game).rows) == 5
    assert 20 - game.state.players["p1"].sp in {least[b] for b in brackets}


@pytest.mark.rule("BUY.patched-up")
def test_patching_up_brings_a_lost_leader_back_free(play: Play) -> None:
    sheets = ("space-marines/intercessor-squad", "space-marines/captain")
    game = play(
        [],
        fielded(sheets, 5),
        kill(1),
        SUPPLY,
        player_faction="space-marines",
        answers={"purchase": buying("buy/patched-up"), "target": "squad", "return": where_it_fell},
    )
    assert len(squad(game).rows) == 6
    assert squad(game).is_attached


@pytest.mark.rule("BUY.field-promotion")
@pytest.mark.parametrize("paid", [True, False])
def test_a_promotion_destroys_the_unit_and_sets_another_up_if_paid(play: Play, paid: bool) -> None:
    def set_up(game: Game) -> Places:
        request = game.pending
        unit = game.state.position.units[request.unit]  # type: ignore[union-attr]
        return Places(poses={row: (30.0 + 4 * i, 6.0, 0.0, 0.0) for i, row in enumerate(unit.rows[:1])})

    game = play(
        [],
        fielded(("space-marines/techmarine",), 1),
        SUPPLY,
        player_faction="space-marines",
        dice={"field-promotion": [3]},
        answers={
            "purchase": buying("buy/field-promotion"),
            "target": "squad",
            "promote": Said(yes=paid),
            "recruit": first,
            "arrive": set_up,
        },
    )
    assert squad(game).where == "destroyed"
    new = [u for u in game.state.position.on_table("players") if "promoted" in u.marks]
    assert len(new) == (1 if paid else 0)
    assert game.state.players["p1"].sp == (20 - (2 + 3) if paid else 20)
    for unit in new:
        assert len(unit.rows) == 1, "no more models than the destroyed unit had"


@pytest.mark.rule("MISERY.18")
@pytest.mark.parametrize(("votes", "outcomes"), [(("a", "a"), {"a"}), (("a", "b"), {"a", "b"})])
def test_the_sacrifice_is_one_of_those_voted_for(
    play: Play, marines: Callable[..., object], votes: tuple[str, str], outcomes: set[str]
) -> None:
    stands = [
        marines(n, at=((10.0 + 8 * i, 8.0),), player=p)
        for i, (n, p) in enumerate((("a", "p1"), ("b", "p2"), ("c", "p2")))
    ]
    left = list(votes)

    def draw(game: Game) -> Steps[bool]:
        yield from reveal(game, 1, "test")
        return False

    game = play(
        stands,
        Step("draw", "start-of-round", draw),
        players=("p1", "p2"),
        decks={"misery": ("misery/18-a-worthless-sacrifice",)},
        answers={"sacrifice": lambda game: left.pop(0)},
    )
    gone = {name for name in ("a", "b", "c") if game.state.position.units[name].where == "destroyed"}
    assert len(gone) == 1
    assert gone <= outcomes
    read = [line for line in SeatLog("p2").of(game.lines) if isinstance(line, AnswerLine)]
    cast = {line.seat: line.value for line in read if line.decision == "sacrifice"}
    assert cast == {"p1": Chosen(ids=()), "p2": Chosen(ids=(votes[1],))}, "nobody reads another's vote"


@pytest.mark.rule("BUY.field-promotion")
def test_the_smallest_size_that_holds_the_models_counts(play: Play) -> None:
    game = play([], fielded(SQUAD, 10), player_faction="space-marines")
    sizes = {
        (e.units[0].models, b)
        for b, rows in TABLE.brackets.items()
        for e in rows
        if SQUAD[0] in e.units[0].datasheets and not (e.leaders or e.leader_choices)
    }
    for models in (3, 5, 7, 10):
        fit = min((s for s in sizes if s[0] >= models), default=max(sizes))
        assert recruit.bracket_of_unit(game, squad(game), models) == fit[1]
