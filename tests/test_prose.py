"""The prose of the code: turns and lengths that docstrings and subjects of commits avoid."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("geometry", "datasheets", "engine", "ai", "factions", "viewer", "scripts", "benchmarks", "tests")
AVOIDED = ("so many", "so much", "so far", "truly", "hair", "who", "is told")
"""Turns that hide what is meant: an amount, a condition or the subject."""
LONGEST_FIRST_LINE = 90
FIRST_COMMIT = "77a24d4"
"""Subjects are held to their length after this commit."""
LONGEST_SUBJECT = 60
TURNS = re.compile(r"\b(?:" + "|".join(AVOIDED).replace(" ", r"\s+") + r")\b", re.IGNORECASE)


def sources() -> list[Path]:
    """Return all Python files of the project, in order."""
    return [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]


def docstrings(text: str) -> Iterator[str]:
    """Yield the docstrings of a module, of its classes and functions, and of what it assigns."""
    for node in ast.walk(ast.parse(text)):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value.strip()


def comments(text: str) -> Iterator[str]:
    """Yield the comments of a module, those that fill several lines as one."""
    last, found = -2, ""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT:
            continue
        said, is_alone = token.string.lstrip("# "), token.line.lstrip().startswith("#")
        if is_alone and token.start[0] == last + 1:
            found += " " + said
        else:
            yield from [found] if found else []
            found = said
        last = token.start[0] if is_alone else -2
    yield from [found] if found else []


def turns(text: str) -> list[str]:
    """Return the avoided turns of a text, as they stand in it."""
    return TURNS.findall(text)


def is_faulty(first_line: str) -> bool:
    """Return whether a docstring's first line is too long or holds an avoided turn."""
    return len(first_line) > LONGEST_FIRST_LINE or bool(turns(first_line))


def faults(text: str) -> list[str]:
    """Return a module's faulty first lines, and its prose with an avoided turn."""
    said = list(docstrings(text))
    first = [each.split("\n", 1)[0] for each in said]
    return [
        *(line for line in first if is_faulty(line)),
        *(each for each in (*said, *comments(text)) if turns(each)),
    ]


def test_no_prose_of_the_code_is_at_fault() -> None:
    found = [(str(path.relative_to(ROOT)), fault) for path in sources() for fault in faults(path.read_text())]
    assert found == []


@pytest.mark.parametrize(
    ("line", "faulty"),
    [
        ("Return the spots that a model may take.", False),
        ("Return how many spots there are, so manifold that the whole chair counts.", False),
        ("Return so many spots.", True),
        ("Who takes which spot.", True),
        ("Return what truly is left.", True),
        ("Return what is told of a unit.", True),
        ("Return a spot a hair away.", True),
        ("x" * 90, False),
        ("x" * 91, True),
    ],
)
def test_a_first_line_is_judged_by_whole_words_and_its_length(line: str, faulty: bool) -> None:
    assert is_faulty(line) == faulty


def test_docstrings_and_comments_are_found_wherever_they_stand() -> None:
    text = '"""Module."""\nA = 1\n"""Value."""\n\n\ndef f() -> str:\n    """Function."""\n    return "text"\n'
    assert list(docstrings(text)) == ["Module.", "Value.", "Function."]
    noted = "# one so\n# many\nx = '# none'  # two\n\n# three\n"
    assert list(comments(noted)) == ["one so many", "two", "three"]
    assert turns("one so\n    many") == ["so\n    many"]


def test_a_fault_is_found_in_each_kind_of_prose() -> None:
    assert faults('"""Module."""\n\n\ndef f() -> None:\n    """Return nothing."""\n') == []
    assert faults('"""Module.\n\nIt has so far\none."""\n') == ["Module.\n\nIt has so far\none."]
    assert faults('"""Module."""\n# who\nA = 1\n"""' + "x" * 91 + '"""\n') == ["x" * 91, "who"]


def subjects() -> list[str] | None:
    """Return the subjects of the commits after `FIRST_COMMIT`, newest first.

    None where no history is at hand.
    """
    asked = ["git", "log", "--format=%s", f"{FIRST_COMMIT}..HEAD"]
    try:
        done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, timeout=60)
    except OSError:
        return None
    return done.stdout.splitlines() if done.returncode == 0 else None


def test_no_subject_of_a_commit_is_too_long() -> None:
    found = subjects()
    if found is None:
        pytest.skip("the history of the project is not at hand")
    assert not [subject for subject in found if len(subject) > LONGEST_SUBJECT]
