"""Print the lowest declared version of each dependency, one `name==version` a line.

    python scripts/lowest.py > lowest.txt && pip install -r lowest.txt
    python scripts/lowest.py --as-declared    # the declarations themselves, for the newest versions

The extras in EXTRAS are counted in. What is declared without a lowest version is named on stderr, with exit
code 1.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
EXTRAS = ("viewer", "dev")
OWN = "horde"
"""The project, whose extras may name one another."""
AS_DECLARED = "--as-declared"
_DECLARED = re.compile(r"(?P<name>[A-Za-z0-9._-]+)(?:\[[^]]*\])?\s*(?P<bounds>[^;]*)")
_LOWEST = re.compile(r"(?:>=|==|~=)\s*([0-9][0-9A-Za-z.]*)")


def declared(project: dict[str, Any]) -> Iterator[str]:
    """Yield the dependencies of a project and of its extras."""
    yield from project["dependencies"]
    for extra in EXTRAS:
        yield from project["optional-dependencies"][extra]


def lowest(dependencies: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each dependency with its lowest version, empty where none is declared."""
    for text in dependencies:
        found = _DECLARED.match(text)
        assert found is not None, text
        if found["name"] != OWN:
            bound = _LOWEST.search(found["bounds"])
            yield found["name"], bound[1] if bound else ""


def main(words: Sequence[str] = ()) -> int:
    """Print the pins; return the exit code."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    if AS_DECLARED in words:
        sys.stdout.writelines(f"{text}\n" for text in declared(project) if not text.startswith(OWN))
        return 0
    pins = list(lowest(declared(project)))
    sys.stdout.writelines(f"{name}=={version}\n" for name, version in pins if version)
    open_ones = [name for name, version in pins if not version]
    sys.stderr.writelines(f"{name}: no lowest version is declared\n" for name in open_ones)
    return 1 if open_ones else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
