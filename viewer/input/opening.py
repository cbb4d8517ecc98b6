"""The letters with which what is typed as an answer may begin, so that other keys are free.

Owns the first letters alone; `viewer.input.wish` reads the lines.
"""

from __future__ import annotations

from engine.core.request import AnyRequest, Choose, Move, Order, Place, Split, YesNo
from viewer.input.answering import OUT, Answering
from viewer.input.lookup import CARD, MISSION, ODDS, SECRET
from viewer.input.orders import END, REST
from viewer.input.reading import NOTHING
from viewer.input.unit_order import UNIT

ALWAYS = ("why", "help", "undo", "auto", *OUT, CARD, ODDS, SECRET, MISSION, REST, UNIT, END)
"""What may be typed at any question."""
WORDS: dict[type[AnyRequest], tuple[str, ...]] = {
    Choose: NOTHING,
    Order: (),
    YesNo: ("yes", "no"),
    Move: ("toward", "away", "stay", "stand", "shift", "ahead", "leave"),
    Place: ("at", *NOTHING, "decline"),
    Split: ("each", *NOTHING),
}
"""What may be typed at a question of each kind, beside the options."""


def letters(asked: Answering) -> frozenset[str]:
    """Return the letters with which a line may begin that is typed at a question."""
    said = [*ALWAYS, *WORDS[type(asked.request)]]
    for option in asked.options:
        said += [option.label, option.id]
    return frozenset(word[:1].lower() for word in said if word)
