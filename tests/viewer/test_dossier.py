"""The decision's facts in the side column: what is shown, what is asked, what is typed."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from engine.core.request import Because, Candidate
from engine.core.state import State
from viewer.story.source import Reason, Recording
from viewer.window.dossier import Dossier
from viewer.window.lettering import Lettering
from viewer.window.overlay import considered
from viewer.window.playback import Playback

UNIT, TARGET, HIDDEN = "poxwalkers-2-S1", "p1.intercessors", "p1.rhino"


@pytest.fixture
def state(recording: Recording) -> State:
    playback = Playback(recording)
    playback.jump("round:2:horde:movement")
    return playback.state


@pytest.fixture
def surface() -> Iterator[pygame.Surface]:
    pygame.display.init()
    yield pygame.Surface((400, 300))
    pygame.quit()


def decided() -> Reason:
    chosen = Candidate(id=TARGET, distance=9.0)
    unseen = Candidate(id=HIDDEN, distance=4.0, failed="not-visible")
    because = Because(clause="AI.MOVE.1", reason="it is near", target=TARGET, candidates=(chosen, unseen))
    few = Candidate(id="remain-stationary", failed="no-heavy-majority", measured=1, needed=6)
    passed = Because(clause="AI.STAY.1", candidates=(few,))
    return Reason(3, "horde", UNIT, "move", (because,), (passed,), ("normal-move",))


def words(dossier: Dossier, state: State) -> list[str]:
    return [line for line, _ in dossier.lines(decided(), lambda: state)]


def test_a_decision_is_told_with_its_candidates_in_order(state: State) -> None:
    told = words(Dossier(), state)
    assert told[0].startswith("AI.MOVE.1: It is near")
    assert told[1] == "  1. Intercessor Squad, 9″: chosen"
    assert told[2].startswith("  2. Rhino, 4″: not visible")
    assert told[3] == "AI.STAY.1, remain stationary? No: 1 models carry Heavy weapons, it takes 6"


def test_a_name_is_typed_and_answered(state: State) -> None:
    dossier = Dossier(line="")
    for sign in "rhinoo":
        dossier.type(sign, sign, decided(), state)
    dossier.type("backspace", "", decided(), state)
    assert (dossier.line, dossier.is_open) == ("rhino", True)
    dossier.type("return", "\r", decided(), state)
    assert (dossier.line, dossier.instead) == (None, HIDDEN)
    told = words(dossier, state)
    assert told[0] == "Why not Rhino?"
    assert told[1].startswith("AI.MOVE.1: Rhino, 4″: not visible")
    dossier.close()
    assert not dossier.is_open
    assert words(dossier, state)[0].startswith("AI.MOVE.1: It is near")


def test_what_nobody_knows_is_told_in_a_sentence(state: State) -> None:
    dossier = Dossier()
    dossier.ask("rhyno", decided(), state)
    assert dossier.fault.startswith("There is no unit, objective or option 'rhyno'")
    assert dossier.instead == ""


def test_typing_may_be_given_up(state: State) -> None:
    dossier = Dossier(line="rhi")
    dossier.type("escape", "", decided(), state)
    assert not dossier.is_open


def test_what_does_not_fit_is_scrolled_to(state: State, surface: pygame.Surface) -> None:
    dossier, rect = Dossier(), pygame.Rect(0, 0, 400, 70)
    args = (surface, rect, Lettering(), decided(), state, lambda: state)
    dossier.draw(*args)
    first = pygame.image.tobytes(surface, "RGB")
    dossier.scroll(-1)
    dossier.draw(*args)
    assert pygame.image.tobytes(surface, "RGB") != first
    dossier.scroll(5)
    dossier.draw(*args)
    assert pygame.image.tobytes(surface, "RGB") == first
    assert dossier.rect.bottom <= rect.bottom


def test_the_board_numbers_what_stands_on_it_the_chosen_first(state: State) -> None:
    other = Because(
        clause="AI.SHOOT.1",
        candidates=(Candidate(id=HIDDEN, distance=5.0), Candidate(id=TARGET, failed="farther")),
    )
    reason = Reason(1, "horde", UNIT, "shoot", (*decided().because, other), decided().passed)
    # Each is chosen by one of the weapons; what may be done stands on no board.
    assert [(c.id, c.failed) for c in considered(reason, state)] == [(TARGET, ""), (HIDDEN, "")]
    assert [c.id for c in considered(decided(), state)] == [TARGET, HIDDEN]
