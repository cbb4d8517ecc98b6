"""The resupply screen: what it says of purchases, and buying by keys and mouse."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from datasheets.library import Library
from engine.core import event as ev
from engine.core.facts import HORDE
from engine.core.marks import ENHANCED
from engine.core.ware import Ware, WareTarget
from engine.horde.setup import Options
from engine.systems import new_game
from engine.w40k.view import View
from tests.viewer.at_window import asked, click, on, press, say, seat, show
from viewer.input.question import question
from viewer.input.shopping import Shopping
from viewer.story.shelf import lack_words, shelf, why_closed
from viewer.window.window import Window

LIBRARY = Library()


@pytest.fixture(name="window")
def _window() -> Iterator[Window]:
    army = LIBRARY.army("space-marines-1000")
    game = new_game(Options((army,), ("death-guard",), 1000, seed=7), LIBRARY)
    window = show(game, (1920, 1080))
    for _ in range(400):
        if window.player.asked is not None and window.player.asked.shop is not None:
            break
        say(window, "")
    window.draw()
    yield window
    pygame.quit()


def shop(window: Window) -> Shopping:
    found = asked(window).shop
    assert found is not None
    return found


def bought(window: Window) -> list[str]:
    return [event.rule for event in seat(window).game.events if isinstance(event, ev.Purchased)]


def words(window: Window) -> str:
    window.draw()
    return "\n".join(each.words for each in window.lettering.written)


# what is for sale


def test_what_is_for_sale_is_what_the_engine_offers(window: Window) -> None:
    view, request = asked(window).view, asked(window).request
    offered = {option.id for option in request.options} - {"done", "pass"}  # type: ignore[union-attr]
    assert {ware.id for ware in view.wares if ware.is_open} == offered
    dear = [ware for ware in view.wares if ware.missing]
    assert dear
    assert all(ware.missing == ware.price - view.players["p1"].sp for ware in dear)
    assert not any(ware.is_open for ware in dear)


def test_a_fortification_names_the_units_that_stand_there(window: Window) -> None:
    """The record's own condition says so, asked as if it were in force at the marker."""
    view = asked(window).view
    hospital = next(ware for ware in view.wares if ware.rule == "buy/field-hospital")
    for target in hospital.targets:
        marker = view.objectives[target.id]
        own = [unit for unit in view.units("players") if view.field.in_range_of(unit, marker).all()]
        assert set(target.reaches or ()) <= {unit.id for unit in own}
    reached = {target.label: target.reaches for target in hospital.targets}
    # The Ballistus stands partly outside.
    assert reached["D"] == ("hellblasters", "intercessors")
    assert reached["B"] == ()


def test_what_is_of_no_use_says_why(window: Window) -> None:
    found = shop(window).shelf
    assert "Pizza Party (no unit needs it)" in found.rest
    assert "Share Supplies (no other player)" in found.rest
    assert not {ware.name for ware in found.useless} & {ware.name for ware in found.rows}


def test_words_of_prices() -> None:
    one = Ware(id="a", rule="a", clause="A", name="A", summary="S.", price=3, missing=1)
    assert lack_words(one, 2) == "1 SP short"
    assert shelf([one]).sections[0].title == "With 3 SP"
    two = Ware(id="b", rule="b", clause="B", name="B", summary="S.", price=9, missing=7)
    assert [section.title for section in shelf([one, two]).sections] == ["With 3 SP", "With 9 SP"]
    spent = Ware(id="c", rule="c", clause="C", name="C", summary="S.", closed="limit")
    assert why_closed(spent) == "bought already"
    assert shelf([spent]).rows == ()
    assert WareTarget(id="x", label="X").reaches is None


def test_the_terminal_says_the_same(window: Window) -> None:
    told = question(asked(window).view, asked(window).request)
    for ware in shop(window).shelf.rows:
        assert f"{ware.name}, {shop(window).lack(ware)}: {shop(window).words(ware)}" in told
    assert shop(window).shelf.rest in told


# buying


def test_enter_buys_the_marked_row_for_the_marked_target(window: Window) -> None:
    assert shop(window).ware is not None
    assert shop(window).ware.id == "buy/name-earned"
    first = shop(window).aimed
    press(window, "right")
    aimed = shop(window).aimed
    assert aimed is not None
    assert aimed is not first
    press(window, "return")
    on(window)
    assert asked(window).request.rule == "BUY.name-earned"  # which enhancement, the second pick
    say(window, "")
    assert bought(window) == ["buy/name-earned"]
    unit, _, row = aimed.id.partition(":")
    assert f"{ENHANCED}{row}" in seat(window).game.state.position.units[unit].marks


def test_what_is_too_dear_is_not_bought(window: Window) -> None:
    for _ in range(3):
        press(window, "down")
    ware = shop(window).ware
    assert ware is not None
    assert ware.missing
    press(window, "return")
    on(window)
    assert asked(window).shop is not None
    assert bought(window) == []
    assert f"{ware.name}: {ware.missing} SP short" in words(window)


def test_b_goes_to_the_next_that_can_be_bought(window: Window) -> None:
    press(window, "down")
    press(window, "down")
    press(window, "b")
    assert shop(window).may_buy
    press(window, "b")
    assert shop(window).may_buy


def test_a_click_marks_a_row_and_the_button_buys(window: Window) -> None:
    box, place = window.screens.shop.rows[1]
    click(window, box.center)
    assert shop(window).row == place
    box, place = window.screens.shop.rows[0]
    click(window, (box.right - 12, box.y + 12))
    card, target = window.screens.shop.cards[-1]
    click(window, card.center)
    assert shop(window).aimed is not None
    assert shop(window).aimed.id == target
    buy = next(box for box, id_ in window.screens.shop.buttons if id_ == "buy")
    click(window, buy.center)
    on(window)
    say(window, "")
    assert bought(window) == ["buy/name-earned"]


def test_a_purchase_is_taken_back_whole(window: Window) -> None:
    before = len(seat(window).game.answers)
    press(window, "return")
    on(window)
    say(window, "undo")
    on(window)
    assert asked(window).shop is not None
    assert len(seat(window).game.answers) == before


def test_end_buys_nothing_more(window: Window) -> None:
    press(window, "end")
    on(window)
    assert window.player.asked is None or window.player.asked.shop is None
    assert bought(window) == []


def test_all_that_is_bought_in_a_phase_is_one_stop(window: Window) -> None:
    press(window, "return")
    on(window)
    while window.player.asked is not None and asked(window).view.phase == "command":
        say(window, "")
    stops = seat(window).gate.counts.stops
    assert sum(number for (kind, _), number in stops.items() if kind == "purchase") == 1


def test_a_click_on_the_board_marks_a_target(window: Window) -> None:
    targets = shop(window).ware.targets  # type: ignore[union-attr]
    unit, _, row = targets[-1].id.partition(":")
    at = seat(window).game.state.position.table.xy[int(row)]
    click(window, window.camera.to_screen(float(at[0]), float(at[1])))
    assert shop(window).aimed is not None
    assert shop(window).aimed.id == targets[-1].id
    assert unit in seat(window).game.state.position.units


def test_the_board_is_not_covered_and_no_word_is_cut(window: Window) -> None:
    window.draw()
    assert not window.layout.side.colliderect(window.layout.board)
    assert window.layout.units.w == 0
    assert not [each.words for each in window.lettering.written if each.is_cut]
    press(window, "end")
    on(window)
    window.draw()
    assert window.layout.units.w > 0


def test_the_horde_buys_nothing() -> None:
    army = LIBRARY.army("space-marines-1000")
    game = new_game(Options((army,), ("death-guard",), 1000, seed=7), LIBRARY)
    assert View(game, HORDE).wares == ()
