"""What an agent is: something that answers what a seat is asked."""

from __future__ import annotations

from typing import Protocol

from engine.core.request import AnyAnswer, AnyRequest
from engine.w40k.view import View


class Agent(Protocol):
    """One who plays a seat."""

    @property
    def name(self) -> str:
        """Return the name under which it is registered."""
        ...

    def answer(self, view: View, request: AnyRequest) -> AnyAnswer:
        """Return a legal answer to what is asked, from what the seat may know."""
        ...
