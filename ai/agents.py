"""The agents by name: the one place where a name becomes an agent."""

from __future__ import annotations

from ai.autopilot.autopilot import SteadyAgent
from ai.fuzz import FuzzAgent
from ai.horde.horde_ai import HordeAgent
from datasheets.errors import unknown
from engine.core.play import Agent
from engine.w40k.view import View

NAMES = ("fuzz", "horde", "steady")


def agent(name: str) -> Agent[View]:
    """Return a new agent of this name. Raises UnknownName where there is none."""
    made: dict[str, type[HordeAgent] | type[SteadyAgent] | type[FuzzAgent]] = {
        "fuzz": FuzzAgent,
        "horde": HordeAgent,
        "steady": SteadyAgent,
    }
    if name not in made:
        raise unknown(name, NAMES, "agent")
    return made[name]()
