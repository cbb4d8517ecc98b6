"""The agents that play scenarios."""

from __future__ import annotations

from ai.autopilot.autopilot import SteadyAgent
from ai.horde.horde_ai import HordeAgent
from engine.scenario.run import Cast

CAST = Cast(HordeAgent, SteadyAgent)
"""The Horde plays by its rules, and players that do not decline by the steady autopilot."""
