"""The core: typed code on plain numbers, compiled where the build could compile it.

`scripts/build_core.py` compiles the modules of this package into a folder of `_compiled`, one for each kind
of Python, and records there from what and by what. The compiled modules are taken where they were made of the
sources as they stand: all of them, or none. HORDE_CORE_PLAIN=1 takes the sources. Both give equal bits.

Here stands only which of the two runs.
"""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
ENDING = EXTENSION_SUFFIXES[0] if EXTENSION_SUFFIXES else ""
"""How the file of a compiled module ends, such as `.cpython-311-x86_64-linux-gnu.so`."""
FOLDER = f"_compiled/{ENDING.split('.')[1] if ENDING else 'none'}"
"""Where the compiled modules for this kind of Python are, below the sources."""
RECORD = "built.json"


class Record(NamedTuple):
    """What the build writes beside the compiled modules."""

    sources: str
    """The digest of the sources that were compiled."""
    compiler: str
    """The compiler with its version; empty where nothing was compiled."""
    failure: str
    """Why nothing was compiled, as a clause after "because"; else empty."""


class Run(NamedTuple):
    """How the core runs in this process."""

    folder: Path | None
    """Where the compiled modules come from; None where the core runs uncompiled."""
    sentence: str
    """How the core runs and why, in one or two sentences for the user."""
    is_stale: bool = False
    """Whether there are compiled modules, but of other sources."""


def sources_digest(folder: Path) -> str:
    """Return the SHA-256 of all sources of the core in a folder, their names included."""
    digest = hashlib.sha256()
    for path in sources(folder):
        text = path.read_bytes()
        digest.update(f"{path.name} {len(text)}\n".encode())
        digest.update(text)
    return digest.hexdigest()


def sources(folder: Path) -> list[Path]:
    """Return the sources that are compiled and their declarations, by name."""
    found = [*folder.glob("*.py"), *folder.glob("*.pxd")]
    return sorted(path for path in found if path.name != "__init__.py")


def read_record(folder: Path) -> Record | None:
    """Return what was recorded in a folder of compiled modules; None where nothing legible is."""
    try:
        return Record(**json.loads((folder / RECORD).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def in_words(record: Record) -> str:
    """Return how the core runs after a build, in a sentence or two for the user."""
    if record.failure:
        return f"The core runs uncompiled, because {record.failure}. Battles are the same, only slower."
    return f"The core is compiled, by {record.compiler}."


def choose(here: Path, is_plain: bool) -> Run:
    """Return how the core in a folder is to run; `is_plain` asks for the sources."""
    record = read_record(here / FOLDER)
    if is_plain:
        record = Record("", "", "HORDE_CORE_PLAIN asks for it")
    elif record is None:
        record = Record("", "", "it was not compiled for this Python")
    if record.failure:
        return Run(None, in_words(record))
    if record.sources != sources_digest(here):
        sentence = (
            "The core runs uncompiled, because its sources were changed after it was compiled: "
            "`python scripts/build_core.py` compiles it again."
        )
        return Run(None, sentence, is_stale=True)
    return Run(here / FOLDER, in_words(record))


RUN = choose(HERE, bool(os.environ.get("HORDE_CORE_PLAIN")))
if RUN.folder:
    __path__.insert(0, str(RUN.folder))
elif RUN.is_stale:
    warnings.warn(RUN.sentence, RuntimeWarning, stacklevel=2)
