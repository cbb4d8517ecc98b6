"""The command line's door: what surrounds every command, and the short way to a battle.

Owns what a user reads of a fault and how the program ends. The commands are `viewer.commands.arguments`'s.
"""

from __future__ import annotations

import gc
import io
import os
import sys

from viewer.shadowing import refuse_strangers

refuse_strangers()  # before any of the packages that it asks about is loaded

from datasheets.errors import HordeError  # noqa: E402
from datasheets.outside import shortened  # noqa: E402
from viewer.commands.quick import battle, battle_words  # noqa: E402
from viewer.story.plain_stream import PlainStream  # noqa: E402

STOPPED = 130
"""What a program that the user stopped ends with, by an old custom."""


def main() -> None:
    """Run the command line; what a user can mend is one sentence and exit code 2."""
    # Whoever starts it may have closed these.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open to the end
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open to the end
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # A terminal that cannot show a sign, or sends bytes that are no text, is no reason to stop.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    sys.stdout, sys.stderr = PlainStream(sys.stdout), PlainStream(sys.stderr)
    # What the drawing library says of itself is no part of what a command prints.
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    # No matrix here is large enough for the threads that numpy starts, and no record wants a plug-in of
    # pydantic: both are looked for as they are imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    seldom_collect()
    try:
        _carry_out(sys.argv[1:])
    except HordeError as fault:
        sys.stderr.write(f"{shortened(str(fault))}\n")
        sys.exit(2)
    except BrokenPipeError:
        # Whoever read the output has enough.
        _drop_output()
        sys.exit(1)
    except OSError as fault:
        what = shortened(str(fault.filename or "What it prints"))
        sys.stderr.write(f"{what}: it cannot be written or read ({fault.strerror}).\n")
        _drop_output()
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(_stopped())
    except SystemExit as end:
        if end.code == STOPPED:
            _stopped()
        raise
    finally:
        # What there is goes with the process: to look through it all for garbage first helps nobody.
        gc.freeze()


def seldom_collect() -> None:
    """Look for garbage more seldom than is usual.

    A library and a battle are a hundred thousand things that stay: to look through them after every 700 new
    ones finds none, and once takes as long as a phase of the battle.
    """
    gc.set_threshold(500_000)


def _carry_out(words: list[str]) -> None:
    """Carry out the command line: a plain battle at once, all else by way of typer.

    Without a word the start menu opens where there is a screen.
    """
    if not words:
        from viewer.commands.menu_command import opened

        if opened():
            return
    told = battle_words(words)
    if told is not None:
        battle(told)
        return
    from viewer.commands.arguments import app

    app()


def _stopped() -> int:
    """Say that the user stopped the program; return the exit code for that."""
    sys.stderr.write("Stopped.\n")
    return STOPPED


def _drop_output() -> None:
    """Keep the interpreter from writing at its end what nobody takes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
