"""Options that commands of several groups take."""

from __future__ import annotations

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print for a machine to read.")]
WhyNot = Annotated[
    str, typer.Option("--why-not", help="Only why not this: a unit, an objective marker or an option.")
]
