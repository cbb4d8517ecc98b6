"""The decks: drawing, reshuffling, and the Misery cards of a battle round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import event as ev
from engine.core.request import Choose, Chosen, Option, Steps
from engine.records.interpreter import fire_own
from engine.w40k.activation.payer import in_game
from engine.w40k.activation.unit_choice import note

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

MISERY = "misery"
UNDONE = "misery-undone"
"""The tally of the misery cards that saved mission cards have undone."""
RESOLVED = "misery-resolved"
"""The tally of the misery cards that were carried out without being revealed."""
ASKED = "undo-declined"
"""The mark, for the phase, of a player that lets the misery cards in play stand."""
CAP = 40
"""How many misery cards one round can reveal, whatever they ask. Rule: R.A81."""


def reveal_misery(battle: Battle) -> Steps[bool]:
    """Discard last round's misery, and reveal this round's. Rule: ROUND.1, ROUND.2."""
    if MISERY not in battle.state.decks:
        return False
    for card in battle.state.decks[MISERY].active:
        battle.log(ev.CardDiscarded(deck=MISERY, card=card), "ROUND.1")
    draws = battle.query.number("misery.draws", 0)
    yield from reveal(battle, int(draws.value), "ROUND.1")
    return False


def reveal(battle: Battle, count: int, cause: str) -> Steps[None]:
    """Reveal misery cards in turn, each with what it does at once. Rule: MISERY.20, R.A81."""
    for _ in range(count):
        shown = battle.state.marks.count("misery-shown")
        if shown >= CAP:
            return
        card = draw(battle, MISERY, cause)
        if card is None:
            return
        note(battle, "misery-shown", shown + 1, "round")
        if not (yield from _nullified(battle, card)):
            yield from resolve(battle, card, MISERY)


def draw(battle: Battle, deck: str, cause: str) -> str | None:
    """Reveal the next card of a deck that may be revealed now; None where there is none.

    A card that may not be is shuffled back; an empty deck is reshuffled from its discards. Rule: PLAY.10,
    S.B02, R.A81.
    """
    piles = battle.state.decks[deck]
    if not piles.draw and not piles.discard:
        return None
    drawn, order, discard = _next(battle, deck, piles.draw), piles.draw, None
    if drawn is None:
        order = (*piles.draw, *battle.shuffle(f"{deck}-reshuffle", piles.discard, cause="PLAY.10"))
        discard = ()
        drawn = _next(battle, deck, order)
        if drawn is None:
            return None
    if drawn in battle.state.marks:
        note(battle, drawn, None)  # what it counted when it was revealed before in this round is over
    if order[0] != drawn:
        order = (drawn, *battle.shuffle(f"{deck}-back", [c for c in order if c != drawn], cause="S.B02"))
    battle.log(
        ev.CardRevealed(deck=deck, card=drawn, draw=None if order == piles.draw else order, discard=discard),
        cause,
    )
    return drawn


def _next(battle: Battle, deck: str, pile: tuple[str, ...]) -> str | None:
    return next((card for card in pile if may_be_drawn(battle, card)), None)


def may_be_drawn(battle: Battle, card: str) -> bool:
    """Return whether a card may be revealed now. Rule: S.B02."""
    drawable = battle.rulebook.compiled(card).drawable
    if drawable is None:
        return True
    return bool(battle.query.evaluate(drawable, battle.query.context({"this": card})))


def resolve(battle: Battle, card: str, deck: str) -> Steps[None]:
    """Carry out what a revealed card does at once, or say that it is not simulated."""
    rule = battle.rulebook.rule(card)
    if rule.status == "unmodelled":
        battle.log(ev.Unmodelled(rule=card, reason=rule.reason), rule.clause)
    yield from battle.fire("card-revealed", ev.CardRevealed(deck=deck, card=card))
    yield from fire_own(battle, card, "revealed")


def resolve_named(battle: Battle, card: str, cause: str) -> Steps[None]:
    """Carry out a misery card that is in its deck or discards, and leave it there. Rule: SEC.9."""
    piles = battle.state.decks.get(MISERY)
    if piles and card in (*piles.draw, *piles.discard):
        note(battle, RESOLVED, battle.state.marks.count(RESOLVED) + 1, "battle")
        yield from resolve(battle, card, MISERY)


def activated(battle: Battle) -> int:
    """Return how many misery cards have taken effect, undone ones left out. Rule: SECRET.28"""
    piles, marks = battle.state.decks.get(MISERY), battle.state.marks
    return (piles.revealed if piles else 0) + marks.count(RESOLVED) - marks.count(UNDONE)


def _nullified(battle: Battle, card: str) -> Steps[bool]:
    """Let players discard a saved card to take back a misery card. Rule: SEC.10, SEC.17."""
    for seat in in_game(battle):
        saved = _undoing(battle, seat)
        if not saved:
            continue
        name = battle.rulebook.rule(card).name
        answer = yield Choose(
            seats=(seat,),
            rule=battle.rulebook.rule(saved[0]).clause,
            decision="nullify",
            prompt=f"{name} is revealed. Discard a saved card to undo it?",
            options=(
                *(Option(id=c, label=f"Discard {battle.rulebook.rule(c).name}") for c in saved),
                Option(id="no", label="Let it stand"),
            ),
        )
        assert isinstance(answer, Chosen)
        if answer.ids[0] != "no":
            _undo(battle, answer.ids[0], card)
            note(battle, UNDONE, battle.state.marks.count(UNDONE) + 1, "battle")
            return True
    return False


def _undoing(battle: Battle, seat: str) -> list[str]:
    """Return the saved cards of a player that undo a misery card."""
    saved = battle.state.players[seat].saved
    return [card for card in saved if card in battle.rulebook and battle.rulebook.rule(card).nullifies]


def _undo(battle: Battle, saved: str, card: str) -> None:
    cause = battle.rulebook.rule(saved).clause
    battle.log(ev.CardDiscarded(deck="secondary", card=saved), cause)
    battle.log(ev.CardDiscarded(deck=MISERY, card=card), cause)


def undo_in_play(battle: Battle, seat: str) -> Steps[bool]:
    """Ask a player once a phase for a misery card in play to undo; tell whether it was asked.

    Rule: SEC.10, SEC.17.
    """
    saved, piles = _undoing(battle, seat), battle.state.decks.get(MISERY)
    if not saved or not piles or not piles.active or ASKED in battle.state.players[seat].marks:
        return False
    name, rule = battle.rulebook.rule(saved[0]).name, battle.rulebook.rule
    answer = yield Choose(
        seats=(seat,),
        rule=rule(saved[0]).clause,
        decision="nullify",
        prompt=f"Discard {name} to undo a misery card in play?",
        options=(
            Option(id="no", label="Let all stand"),
            *(Option(id=card, label=f"Undo {rule(card).name}") for card in piles.active),
        ),
    )
    assert isinstance(answer, Chosen)
    if answer.ids[0] == "no":
        battle.log(
            ev.Marked(on=f"player:{seat}", key=ASKED, value=True, until="phase"), rule(saved[0]).clause
        )
    else:
        _undo(battle, saved[0], answer.ids[0])
    return True
