"""The choice of a purchase: what is marked, and the answers that buy it.

Knows no key and draws nothing. What is for sale is the engine's; its words are `viewer.story.shelf`'s.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.core.request import AnyAnswer, AnyRequest, Choose, Chosen, Option
from engine.core.ware import Ware, WareTarget
from engine.w40k.activation.turn_taking import DONE, PASS
from engine.w40k.view import View
from viewer.input.orders import Errand
from viewer.input.question import names_of
from viewer.input.thinking import Advice, advised
from viewer.story.shelf import Shelf, lack_words, now_words, reach_words, shelf, target_name

PURCHASE = "purchase"
"""The decision with which a seat is asked for a purchase."""


@dataclass(frozen=True, slots=True)
class Bought:
    """A purchase that is made: the answer, and that to the question that follows."""

    answer: AnyAnswer
    errand: Errand | None = None


class Shopping:
    """What is marked in the list of purchases."""

    def __init__(self, view: View, request: Choose, advice: AnyAnswer) -> None:
        """Mark what the adviser would buy, or else the first that can be bought."""
        self.view, self.request = view, request
        self.shelf: Shelf = shelf(view.wares)
        self.names = names_of(view)
        self.points = view.players[view.seat].sp
        self._options = {option.id for option in request.options}
        wanted = advice.ids[0] if isinstance(advice, Chosen) and advice.ids else ""
        self.suggested = wanted
        rows = [ware.id for ware in self.shelf.rows]
        self.row = rows.index(wanted) if wanted in rows else 0
        self.target = 0
        self._adviser: Callable[[View, AnyRequest], AnyAnswer] | None = None
        self._advised: dict[str, str] = {}

    @property
    def ware(self) -> Ware | None:
        """Return the purchase that is marked."""
        rows = self.shelf.rows
        return rows[self.row] if self.row < len(rows) else None

    @property
    def aimed(self) -> WareTarget | None:
        """Return the target that is marked, None where the purchase has none."""
        targets = self.ware.targets if self.ware is not None else ()
        return targets[min(self.target, len(targets) - 1)] if targets else None

    @property
    def may_pass(self) -> bool:
        """Return whether another player may be let act first."""
        return PASS in self._options

    @property
    def may_buy(self) -> bool:
        """Return whether what is marked is offered."""
        return self.ware is not None and self.ware.id in self._options

    def mark(self, row: int) -> None:
        """Mark a row by its place."""
        if 0 <= row < len(self.shelf.rows) and row != self.row:
            self.row, self.target = row, 0
            self._aim_as_advised()

    def advise(self, adviser: Callable[[View, AnyRequest], AnyAnswer]) -> None:
        """Take what says for whom or what the adviser would make a purchase, and mark that."""
        self._adviser = adviser
        self._aim_as_advised()

    @property
    def advised(self) -> str:
        """Return the target that the adviser would take for what is marked, "" where none is known."""
        ware = self.ware
        if ware is None or not self.may_buy or len(ware.targets) < 2 or self._adviser is None:
            return ""
        if ware.id not in self._advised:
            options = tuple(Option(id=target.id, label=target.label) for target in ware.targets)
            asked = Choose(
                seats=(self.view.seat,),
                rule=ware.clause,
                decision="target",
                prompt=ware.prompt,
                options=options,
            )
            answer = self._adviser(self.view, asked)
            ids = answer.ids if isinstance(answer, Chosen) else ()
            self._advised[ware.id] = ids[0] if ids else ""
        return self._advised[ware.id]

    def _aim_as_advised(self) -> None:
        if self.advised:
            self.aim_at(self.advised)

    def step(self, by: int) -> None:
        """Mark the row that many places farther down, at most the last."""
        self.mark(min(max(self.row + by, 0), len(self.shelf.rows) - 1))

    def next_open(self) -> None:
        """Mark the next purchase that can be made, the first after the last."""
        can = [place for place, ware in enumerate(self.shelf.rows) if ware.id in self._options]
        if can:
            self.mark(next((place for place in can if place > self.row), can[0]))

    def aim(self, by: int) -> None:
        """Mark the next target of the purchase (1), or the one before (-1)."""
        targets = self.ware.targets if self.ware is not None else ()
        if targets:
            self.target = (self.target + by) % len(targets)

    def aim_at(self, target: str) -> bool:
        """Mark a target by its id; return whether the purchase has it."""
        targets = self.ware.targets if self.ware is not None else ()
        found = next((place for place, each in enumerate(targets) if each.id == target), None)
        if found is not None:
            self.target = found
        return found is not None

    @property
    def fault(self) -> str:
        """Return why what is marked cannot be bought, "" where it can."""
        if self.ware is None:
            return "Nothing is for sale now"
        if self.may_buy:
            return ""
        return f"{self.ware.name}: {lack_words(self.ware, self.points)}"

    def buy(self) -> Bought | None:
        """Return the purchase of what is marked; None where it cannot be bought."""
        ware, target = self.ware, self.aimed
        if ware is None or not self.may_buy:
            return None
        errand = Errand(ware.clause, target.id) if target is not None and len(ware.targets) > 1 else None
        return Bought(Chosen(ids=(ware.id,)), errand)

    def leave(self, *, done: bool = True) -> AnyAnswer | None:
        """Return the answer that buys nothing more, or lets another player act first."""
        wanted = DONE if done else PASS
        return Chosen(ids=(wanted,)) if wanted in self._options else None

    # words

    @property
    def title(self) -> str:
        """Return what the marked purchase is called on its button."""
        ware = self.ware
        if ware is None or not self.may_buy:
            return self.fault
        paid = "a roll of SP" if ware.is_rolled else f"{ware.price} SP" if ware.price else "free"
        return f"Buy: {ware.name}, {paid}"

    def words(self, ware: Ware) -> str:
        """Return what a purchase would do now."""
        return now_words(self.names, ware)

    def lack(self, ware: Ware) -> str:
        """Return what is missing for a purchase, or left after it."""
        return lack_words(ware, self.points)

    def name_of(self, ware: Ware, target: WareTarget) -> str:
        """Return what a target is called."""
        return target_name(self.names, ware, target)

    def note_of(self, target: WareTarget) -> str:
        """Return whom a purchase reaches at a target."""
        if target.reaches is None:
            return ""
        return reach_words(self.names, target) if target.reaches else "nobody now"


def shopping(view: View, request: AnyRequest, advice: Advice) -> Shopping | None:
    """Return the choice of a purchase, None where a question is about something else."""
    if request.decision != PURCHASE or not isinstance(request, Choose):
        return None
    return Shopping(view, request, advised(advice))
