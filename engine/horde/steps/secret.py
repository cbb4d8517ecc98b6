"""Secret objectives and the battle's winners.

Secrets are dealt and hidden before the battle, and revealed in it or at its end.

Rule: PLAY.9, SETUP.8, WIN.1, WIN.3
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import event as ev
from engine.core.request import Choose, Chosen, Option, Steps
from engine.records.interpreter import fire_own
from engine.w40k.activation.objective import update
from engine.w40k.activation.unit_choice import note

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

SECRET = "secret"
END_OF_GAME = "End of Game"
SURVIVAL = "Survival Required"
MULTIPLAYER = "Multiplayer"


def deal_secrets(battle: Battle) -> Steps[bool]:
    """Deal secret objectives, and let one player more choose which to keep. Rule: SETUP.8."""
    if SECRET not in battle.state.decks or battle.state.rounds is None:
        return False
    if "secrets-dealt" not in battle.state.marks:
        note(battle, "secrets-dealt", True, "battle")
        _deal(battle)
        return True
    for seat, player in battle.state.players.items():
        if len(player.secrets) > 1:
            yield from keep_one(battle, seat, "SETUP.8")
            return True
    return False


def _deal(battle: Battle) -> None:
    seats = list(battle.state.players)
    each = 2 if len(_left(battle)) >= 2 * len(seats) else 1
    for seat in seats:
        for _ in range(each):
            _give(battle, seat, "SETUP.8")


def _give(battle: Battle, seat: str, cause: str) -> None:
    """Give a player the next card, if there is one."""
    for card in _left(battle)[:1]:
        battle.log(ev.CardRevealed(deck=SECRET, card=card, player=seat), cause)


def _left(battle: Battle) -> list[str]:
    """Return the cards that may be dealt: a single player gets none that is meant for several.

    Ruling `secret.multiplayer`: "several" keeps them for several players, "any" deals them to one too.
    """
    pile = battle.state.decks[SECRET].draw
    if len(battle.state.players) > 1 or battle.ruling("secret.multiplayer") == "any":
        return list(pile)
    return [card for card in pile if MULTIPLAYER not in battle.rulebook.rule(card).tags]


def keep_one(battle: Battle, seat: str, cause: str, random: bool = False) -> Steps[None]:
    """Let a player keep one unrevealed secret objective; the others are shuffled back."""
    hand = _hidden(battle, seat)
    if not hand:
        return
    hand.sort(key=lambda card: battle.rulebook.rule(card).status == "unmodelled")
    if random:
        kept = hand[battle.pick("secret", len(hand), cause=cause)]
    else:
        answer = yield Choose(
            seats=(seat,),
            rule=cause,
            decision="keep-secret",
            prompt="Which secret objective do you keep?",
            options=tuple(Option(id=card, label=_label(battle, card)) for card in hand),
        )
        assert isinstance(answer, Chosen)
        kept = answer.ids[0]
    back = [card for card in hand if card != kept]
    for card in back:
        pile = (*battle.state.decks[SECRET].draw, card)
        order = battle.shuffle("secret-back", pile, cause=cause)
        battle.log(ev.CardDiscarded(deck=SECRET, card=card, to="deck", draw=order), cause)
    yield from fire_own(battle, kept, "kept", owner=seat, seat=seat)


def _hidden(battle: Battle, seat: str) -> list[str]:
    player = battle.state.players[seat]
    return [card for card in player.secrets if card not in player.revealed]


def _label(battle: Battle, card: str) -> str:
    rule = battle.rulebook.rule(card)
    return (
        rule.name if rule.status != "unmodelled" else f"{rule.name} (not simulated: it cannot be completed)"
    )


def change(battle: Battle, seat: str, count: int, random: bool, cause: str) -> Steps[None]:
    """Let a player draw more secret objectives and keep one of all. Rule: BUY.change-of-plans."""
    if SECRET not in battle.state.decks or battle.state.rounds is None:
        return
    for _ in range(count):
        _give(battle, seat, cause)
    yield from keep_one(battle, seat, cause, random)


def reveal_secrets(battle: Battle) -> Steps[bool]:
    """After the last round, reveal the secret objectives of its end. Rule: WIN.1, WIN.2, WIN.3."""
    if not battle.state.is_last_round():
        return False
    yield from update(battle)
    yield from battle.fire("end-of-battle", None)
    alive = battle.state.players_alive()
    for seat, player in battle.state.players.items():
        for card in player.secrets:
            if card not in player.revealed and seat in alive:
                yield from _reveal(battle, seat, card)
    return False


def _reveal(battle: Battle, seat: str, card: str) -> Steps[None]:
    """Reveal a secret that is still hidden.

    A secret of the end of the game is judged now. Any other has failed.
    """
    compiled = battle.rulebook.compiled(card)
    if compiled.rule.reason:
        battle.log(ev.Unmodelled(rule=card, reason=compiled.rule.reason), compiled.rule.clause)
    completed = False
    if compiled.success is not None and END_OF_GAME in compiled.rule.tags:
        context = battle.query.context({"this": card, "seat": seat, "owner": seat})
        completed = bool(battle.query.evaluate(compiled.success, context))
    event = ev.SecretRevealed(player=seat, card=card, completed=completed)
    yield from battle.happen(event, compiled.rule.clause)


def end_battle(battle: Battle) -> Steps[bool]:
    """End the battle after its last round, or when no player is left. Rule: WIN.1, WIN.3, S.B11."""
    if not battle.state.players_alive():
        conclude(battle, "no player is left")
    elif battle.state.is_last_round():
        conclude(battle, f"round {battle.state.round} was the last")
    return False
    yield


def conclude(battle: Battle, reason: str) -> None:
    """End the battle: each player with a completed secret objective has won. Rule: WIN.1."""
    if battle.is_over:
        return
    alive = battle.state.players_alive()
    winners = tuple(
        seat
        for seat, player in battle.state.players.items()
        if any(_counts(battle, card, seat in alive) for card in player.completed)
    )
    battle.log(ev.BattleEnded(winners=winners, reason=reason), "WIN.1")


def _counts(battle: Battle, card: str, survived: bool) -> bool:
    return survived or SURVIVAL not in battle.rulebook.rule(card).tags
