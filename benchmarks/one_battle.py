"""One battle in a fresh process, run by the python of the tree that is measured.

    python -P one_battle.py MODULES [option of horde battle ...]

Prints one JSON line: the battle's events, its processor seconds, those of the start, those of the dearest
answer of the Horde, and a digest of its log without the header.

The clock starts after the imports. `horde battle` imports most of its modules late, so the names of all
that a battle of this tree has loaded stand in the file MODULES, which the first battle writes. Each later
battle imports them first. Two trees are then alike whatever each imports late, and all caches of
the game are still empty. The library of datasheets is read on the clock.

A tree needs only what every commit has: `viewer.cli.main` with `battle --replay --json`. Answers are
measured where there is an `ai.agents.agent`.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any


class TimedAgent:
    """An agent whose answers are timed, in seconds of processor time."""

    def __init__(self, agent: Any, seconds: list[float]) -> None:
        """Add the time of each answer of this agent to the list."""
        self._agent = agent
        self._seconds = seconds

    def __getattr__(self, name: str) -> Any:
        """Return the agent's attribute of this name."""
        return getattr(self._agent, name)

    def answer(self, view: Any, request: Any) -> Any:
        """Return the agent's answer."""
        began = time.process_time()
        answer = self._agent.answer(view, request)
        self._seconds.append(time.process_time() - began)
        return answer


def time_the_horde() -> list[float]:
    """Return a list that receives the duration of each answer of the Horde, in seconds.

    It stays empty in trees without agents. Must be called before the modules of the command line are
    imported, as they bind the function.
    """
    seconds: list[float] = []
    with suppress(ModuleNotFoundError, AttributeError):
        agents: Any = import_module("ai.agents")
        agent_of: Callable[[str], Any] = agents.agent
        agents.agent = lambda name: TimedAgent(agent_of(name), seconds) if name == "horde" else agent_of(name)
    return seconds


def import_all(modules: Path) -> None:
    """Import the modules of the list, in its order."""
    for name in modules.read_text().split() if modules.exists() else ():
        # Compiled libraries register modules that cannot be found by their name.
        with suppress(ImportError):
            import_module(name)


def output_of(command: Callable[[], None]) -> str:
    """Return what a command prints."""
    with redirect_stdout(io.StringIO()) as printed:
        try:
            command()
        except SystemExit as end:
            if end.code:
                raise
    return printed.getvalue()


def main(modules: Path, options: list[str]) -> None:
    """Play the battle and print its figures."""
    answers = time_the_horde()
    command = import_module("viewer.cli").main
    import_all(modules)
    with TemporaryDirectory() as folder:
        replay = Path(folder) / "battle.replay"
        sys.argv = ["horde", "battle", *options, "--replay", str(replay), "--json"]
        began = time.process_time()
        report = output_of(command)
        seconds = time.process_time() - began
        log = replay.read_bytes().partition(b"\n")[2]
    if not modules.exists():
        modules.write_text("\n".join(sys.modules) + "\n")
    figures = {
        "events": json.loads(report)["events"],
        "seconds": seconds,
        "start": began,
        "dearest": max(answers, default=None),
        "log": hashlib.sha256(log).hexdigest(),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
