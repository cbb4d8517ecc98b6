"""Every kind of question, answered by mouse and keys, and refused where it is not legal.

The forms are compared with what the engine asks: a kind of request, of move, of set-up or of decision that is
new there fails a test until a hand can answer it here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import pygame
import pytest

from engine.core import request as asked_for
from engine.core.facts import BoardFacts
from engine.core.game import Game
from engine.core.request import (
    BESIDE,
    EMERGENCY,
    RETURN,
    AnyRequest,
    Choose,
    Chosen,
    Line,
    Move,
    Moves,
    Option,
    Order,
    Ordered,
    Place,
    Places,
    Said,
    Split,
    Splits,
    YesNo,
)
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.scenario.situation import Stand, situation
from engine.w40k.phase.surge import SURGE
from engine.w40k.ruin import RUINS
from tests.viewer.at_window import GUN, Open, asked, asking, button, click, drag, on, press, say, spot, table
from tests.viewer.in_hand import carry
from tests.viewer.test_stops import BY_NAME, decisions_of
from viewer.window.window import Window

ENGINE = Path(__file__).parents[2] / "engine"
FORM_OF = {"Asking": "Choose", "move_up_to": "Move", "single_out": "Choose"}
"""What a function asks that is given the decision."""
KINDS: dict[str, tuple[str, ...]] = {
    "name": ("normal", "advance", "fall-back"),
    "kind": ("pile-in", "consolidate"),
    "SURGE": (SURGE,),
    "BESIDE": (BESIDE,),
    "EMERGENCY": (EMERGENCY,),
    "RETURN": (RETURN,),
    "'deep-strike' if strikes else 'reserves'": ("deep-strike", "reserves"),
    "'pincer' if PINCER in unit.marks else 'reserves' if how == 'strategic' else 'deep-strike'": (
        *("pincer", "reserves", "deep-strike"),
    ),
    "request.kind": (),
}
"""The kinds of move and of set-up that an expression of the engine stands for."""
OPTIONS = tuple(Option(id=id_, label=id_.title()) for id_ in ("mine", "b", "c"))
UNITS = (*OPTIONS[:1], Option(id="others", label="Others"))
COMMON: dict[str, Any] = {"seats": ("p1",), "rule": "X.1", "prompt": "Well?"}
MOVES = ("normal", "advance", "fall-back", "charge", "pile-in", "consolidate", "surge")
HELD = ("beside", "disembark", "emergency")
"""The kinds of set-up within some inches of something."""
PLACES = (
    *("deploy", "spawn", "deep-strike", "reserves", "beside", "disembark", "emergency", "return"),
    *("marker", "terrain", "pincer", "promotion"),
)


def calls() -> Iterator[ast.Call]:
    """Yield every call in the engine but for those of scenarios."""
    for path in sorted(ENGINE.rglob("*.py")):
        if "scenario" not in path.parts:
            yield from (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call))


def asked_by_the_engine() -> set[tuple[str, str]]:
    """Return each form of question with each decision that the engine asks for in it."""
    found = set()
    for call in calls():
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        found |= {(FORM_OF.get(name, name), decision) for decision in decisions_of(call)}
    return found


def kinds_of(form: str) -> set[str]:
    """Return the kinds of moves or set-ups that the engine asks for."""
    found: set[str] = set()
    for call in calls():
        if getattr(call.func, "id", "") == form:
            value = next((word.value for word in call.keywords if word.arg == "kind"), None)
            if isinstance(value, ast.Constant):
                found.add(str(value.value))
            elif value is not None:
                found.update(KINDS[ast.unparse(value)])
    return found


def answer_choose(window: Window) -> None:
    """Refuse a number that is none, then click the second option, or type it on a screen."""
    say(window, "7")
    assert "'7' is no option" in asked(window).fault
    press(window, "escape")
    window.draw()
    if window.screens.takes_over(window.player.asked):
        say(window, "2")
    else:
        on(click(window, window.panel.rows[1][0].center))


def answer_order(window: Window) -> None:
    """Refuse a number that is none, then click two options and the yellow button."""
    say(window, "7")
    assert "'7' is no option" in asked(window).fault
    press(window, "escape")
    for place in (2, 0):
        click(window, window.panel.rows[place][0].center)
    on(click(window, button(window, "")))


def answer_yes_no(window: Window) -> None:
    """Refuse another word, then click No."""
    say(window, "perhaps")
    assert asked(window).fault == "Answer yes or no."
    press(window, "escape")
    window.draw()
    buttons = [*window.panel.buttons, *window.screens.toast.buttons]
    on(click(window, next(box for box, line in buttons if line in ("no", "keep")).center))


def answer_split(window: Window) -> None:
    """Refuse a target that is none, then click the enemy on the board."""
    say(window, "nobody")
    assert "is no option" in asked(window).fault
    press(window, "escape")
    on(click(window, spot(window, 22.0, 20.0)))


def answer_move(window: Window) -> None:
    """Refuse a way to nothing, then drag the unit, or keep it where rules leave no other choice."""
    say(window, "toward nothing")
    assert asked(window).fault
    press(window, "escape")
    on(click(window, button(window, "stay")))


FORMS: dict[type, Callable[[Window], None]] = {
    Choose: answer_choose,
    Order: answer_order,
    YesNo: answer_yes_no,
    Split: answer_split,
    Move: answer_move,
    Place: lambda window: drag(window, spot(window, 8.0, 20.0), spot(window, 8.0, 22.0)),
}
ASKED = sorted(asked_by_the_engine())


def test_a_hand_answers_every_kind_of_request_that_the_engine_has() -> None:
    assert set(FORMS) == set(get_args(AnyRequest))
    found = {value for value in vars(asked_for).values() if isinstance(value, type)}
    assert {one for one in found if issubclass(one, asked_for.Request)} - {asked_for.Request} == set(FORMS)
    assert {form for form, _ in ASKED} <= {form.__name__ for form in FORMS}


def test_a_hand_answers_every_kind_of_move_and_of_set_up() -> None:
    assert kinds_of("Move") == set(MOVES)
    assert kinds_of("Place") == set(PLACES)
    assert set(BY_NAME) >= {"RETURN"}, "the decisions by name are those of the other test"


def request_of(form: str, decision: str) -> AnyRequest:
    """Return a question of a form about a decision, as the table of the tests can answer it."""
    if form == "Choose":
        options = UNITS if decision in ("next-unit", "stratagem") else OPTIONS
        return Choose(options=options, decision=decision, unit="mine", **COMMON)
    if form == "Order":
        return Order(items=OPTIONS, decision=decision, **COMMON)
    if form == "YesNo":
        return YesNo(decision=decision, **COMMON)
    words = {**COMMON, "decision": decision, "unit": "mine"}
    if form == "Split":
        line = Line(model=0, weapon=0, targets=("foes",), group="0", set="gun")
        return Split(melee=False, lines=(line,), **words)
    if form == "Move":
        return Move(kind="normal", limits={0: 6.0}, **words)
    return place_of("disembark" if decision in ("disembark", "teleport") else "deploy", decision)


def place_of(kind: str, decision: str = "place") -> Place:
    area = ((1.0, 12.0), (20.0, 12.0), (20.0, 30.0), (1.0, 30.0))
    thing: dict[str, Any] = {"unit": "mine", "rows": (0,)}
    if kind in ("marker", "terrain"):
        thing = {"rows": (-1,), "piece": RUINS["front"] if kind == "terrain" else None}
    if kind in HELD:
        thing |= {"beside": "foes", "within": 6.0}
    return Place(kind=kind, areas=(area,), decision=decision, **COMMON, **thing)


def three(step: Step, foes: tuple[float, float]) -> Game:
    """Return a battle of two units of the person's against one foe."""
    own = [
        Stand("mine", "players", [(10.0, 20.0)], weapons=(GUN,)),
        Stand("others", "players", [(10.0, 40.0)]),
    ]
    return situation([*own, Stand("foes", "horde", [foes])], [step], HORDE_1_1, board=BoardFacts())


EXPECTED: dict[str, Callable[[Any], bool]] = {
    "Choose": lambda answer: answer in (Chosen(ids=("b",)), Chosen(ids=("others",))),
    "Order": lambda answer: answer == Ordered(ids=("c", "mine", "b")),
    "YesNo": lambda answer: answer == Said(yes=False),
    "Split": lambda answer: isinstance(answer, Splits) and answer.shots[0].target == "foes",
    "Move": lambda answer: isinstance(answer, Moves) and not any(answer.paths.values()),
    "Place": lambda answer: isinstance(answer, Places) and bool(answer.poses),
}


@pytest.mark.parametrize(("form", "decision"), ASKED)
def test_each_decision_is_answered_by_hand_and_a_wrong_word_refused(
    opened: Open, form: str, decision: str
) -> None:
    request = request_of(form, decision)
    step, answers = asking(request)
    # The adviser of such made-up questions takes whatever is legal.
    window = opened(three(step, (12.0, 24.0) if form == "Place" else (22.0, 20.0)), adviser="fuzz")
    FORMS[type(request)](window)
    on(window)
    assert len(answers) == 1, asked(window).fault
    assert EXPECTED[form](answers[0]), answers[0]


@pytest.mark.parametrize("kind", PLACES)
def test_each_kind_of_set_up_is_dragged_to_its_place(opened: Open, kind: str) -> None:
    step, answers = asking(place_of(kind))
    foes = (12.0, 24.0) if kind in HELD else (50.0, 10.0)
    window = opened(table(step, at=[(40.0, 30.0)], foes=foes), adviser="fuzz")
    drag(window, spot(window, 30.0, 8.0), spot(window, 34.0, 8.0))
    assert not answers, "outside of its area a drag moves the view"
    window.fit()
    window.draw()
    say(window, "at nobody")
    assert asked(window).fault
    press(window, "escape")
    drag(window, spot(window, 8.0, 20.0), spot(window, 9.0, 21.0))
    if kind == EMERGENCY:
        # What climbs out of a wreck stands as near as it can.
        assert 'could be set up wholly within 3"' in asked(window).fault
        press(window, "escape")
        drag(window, spot(window, 9.0, 24.0), spot(window, 9.6, 24.0))
    on(window)
    [answer] = answers
    assert isinstance(answer, Places)
    [pose] = answer.poses.values()
    if kind != EMERGENCY:
        assert pose[:2] == pytest.approx((9.0, 21.0), abs=0.2)


@pytest.mark.parametrize("kind", ["normal", "advance"])
def test_each_free_move_is_dragged_as_far_as_it_may_go(opened: Open, kind: str) -> None:
    move = Move(kind=kind, limits={0: 6.0}, **{**COMMON, "decision": "path", "unit": "mine"})
    step, answers = asking(move, move)
    window = opened(table(step))
    carry(window, (10.0, 20.0), (11.0, 20.0), (13.0, 20.0))
    assert answers[0].paths[0][-1][:2] == pytest.approx((13.0, 20.0), abs=0.11)
    carry(window, (10.0, 20.0), (11.0, 20.0), (30.0, 20.0))
    assert answers[1].paths[0][-1][:2] == pytest.approx((16.0, 20.0), abs=0.11), "too far stops at its end"


@pytest.mark.parametrize("kind", ["charge", "pile-in", "consolidate", "surge"])
def test_each_move_whose_goal_the_rules_say_is_one_click(opened: Open, kind: str) -> None:
    targets = ("foes",) if kind in ("charge", "surge") else ()
    words = {**COMMON, "decision": "path", "unit": "mine"}
    step, answers = asking(Move(kind=kind, limits={0: 3.0}, targets=targets, **words))
    window = opened(table(step, foes=(12.0, 20.0)))
    on(click(window, button(window, "toward enemy")))
    assert answers[0].paths[0][-1][0] == pytest.approx(12.0 - 32 / 25.4, abs=1e-3)


def test_a_unit_that_falls_back_is_carried_out_of_combat(opened: Open) -> None:
    words = {**COMMON, "decision": "path", "unit": "mine"}
    step, answers = asking(Move(kind="fall-back", limits={0: 6.0}, **words))
    window = opened(table(step, foes=(12.0, 20.0)))
    carry(window, (10.0, 20.0), (9.5, 20.0), (10.2, 20.0))
    if not answers:
        carry(window, (10.0, 20.0), (9.0, 20.0), (6.0, 20.0))
    assert answers[0].paths[0][-1][0] < 9.5, "not where it would stay engaged"


def test_a_key_that_is_no_answer_answers_nothing(opened: Open) -> None:
    for form, decision in (("Choose", "target"), ("YesNo", "reroll"), ("Move", "path"), ("Split", "shoot")):
        step, answers = asking(request_of(form, decision))
        window = opened(table(step, foes=(22.0, 20.0)))
        for name in ("tab", "f2", "left", "page up", "home", "end"):
            press(window, name)
        window.handle(pygame.event.Event(pygame.MOUSEWHEEL, y=1, x=0))
        assert not answers
