"""From the sources' paths of options to the choices that a model has.

Owns the reading of one kind of model: what it always carries, what it may carry instead or besides, and
which of it the printed default loadout has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product

from msgspec.structs import replace

from datasheets.schema import Carried, Option

CONTAINERS = {"Wargear", "Wargear Options"}
Bundle = tuple[Carried, ...]


@dataclass(slots=True)
class Piece:
    """A piece of wargear as a source lists it: its folders, its count, whether it is a default."""

    item: str
    is_melee: bool
    is_default: bool
    count: int
    path: tuple[str, ...] | None


@dataclass(slots=True)
class Folder:
    """A folder of options: its own pieces and the folders in it."""

    pieces: list[Piece] = field(default_factory=list)
    folders: dict[str, Folder] = field(default_factory=dict)

    def is_package(self, name: str) -> bool:
        """Return whether the folder of this name is a whole loadout with choices of its own.

        A folder that is itself one choice is no package.
        """
        defaults = {piece.item for piece in self.pieces if piece.is_default}
        inner = [folder for name, folder in self.folders.items() if not folder.is_bundle(name)]
        if _is_choice(self.pieces) and (defaults or not self.is_bundle(name)):
            return False
        return len(defaults) > 1 or any(_is_choice(folder.pieces) for folder in inner)

    def is_bundle(self, name: str) -> bool:
        """Return whether a folder holds wargear carried together: then its name says what it holds."""
        return any(piece.item.lower() in name.lower() for piece in self.pieces)


def path_of(option: str | None) -> tuple[str, ...] | None:
    """Return the folders of a source's option; None where the wargear is fixed.

    The outer containers, which mean nothing, are left out.
    """
    if option is None:
        return None
    parts = option.split(" / ")
    while parts and parts[0] in CONTAINERS:
        parts = parts[1:]
    return tuple(parts)


def choices(
    pieces: Iterable[Piece], printed: Counter[str], is_special: bool
) -> tuple[Bundle, tuple[Option, ...]]:
    """Return what a model always carries, and its options.

    The options have the printed loadout as their defaults. `printed` counts its items by lower-case name. A
    special kind of model has none; it takes the first alternative of a choice for which the sources name no
    default.
    """
    root, fixed = Folder(), []
    for piece in _merged(pieces):
        if piece.path is None and piece.is_default:
            fixed.append(piece)
        else:
            _hang(root, piece)
    options = list(_root_options(root, fixed, printed))
    carried = _bundle(fixed)
    return carried, settled(options, carried, printed, needed=range(len(options)) if is_special else ())


def _merged(pieces: Iterable[Piece]) -> list[Piece]:
    """Return the pieces with the profiles of one weapon made one."""
    found: dict[tuple[str, tuple[str, ...] | None], Piece] = {}
    for piece in pieces:
        key = (piece.item, piece.path)
        if key in found:
            found[key].is_default |= piece.is_default
        else:
            found[key] = piece
    return list(found.values())


def _hang(root: Folder, piece: Piece) -> None:
    """Put the piece into its folder."""
    node = root
    for name in piece.path or ():
        node = node.folders.setdefault(name, Folder())
    node.pieces.append(piece)


def _collapsed(folders: dict[str, Folder]) -> dict[str, Folder]:
    """Return the folders without those that hold nothing but one other folder."""
    found: dict[str, Folder] = {}
    for name, node in folders.items():
        if not node.pieces and len(node.folders) == 1:
            inner, only = next(iter(node.folders.items()))
            found[f"{name}, {inner}"] = only
        else:
            found[name] = node
    return found


def _root_options(root: Folder, fixed: list[Piece], printed: Counter[str]) -> Iterable[Option]:
    """Return the options at the root; what turns out to be always carried is put to `fixed`."""
    if _is_root_choice(root.pieces, printed):
        yield _choice("weapon", root)
    else:
        fixed += [piece for piece in root.pieces if piece.is_default]
        for piece in root.pieces:
            if not piece.is_default:
                yield Option(name=piece.item, alternatives=(_bundle([piece]),))
    root.folders = _collapsed(root.folders)
    packages = {name: folder for name, folder in root.folders.items() if folder.is_package(name)}
    if packages:
        whole = {
            name: node for name, node in root.folders.items() if node.is_package(name) or _is_whole(node)
        }
        yield _packages(whole)
        root.folders = {name: node for name, node in root.folders.items() if name not in whole}
    for name, folder in root.folders.items():
        yield _choice(name, folder)


def _is_whole(node: Folder) -> bool:
    """Return whether a folder beside packages is a whole loadout too.

    All of it is carried together, and none of it by default.
    """
    return not node.folders and not any(piece.is_default for piece in node.pieces)


def _is_choice(pieces: list[Piece]) -> bool:
    """Return whether these pieces are alternatives: several, with one default at most."""
    return len(pieces) > 1 and sum(piece.is_default for piece in pieces) <= 1


def _is_root_choice(pieces: list[Piece], printed: Counter[str]) -> bool:
    """Return whether the unnamed folder is one choice.

    All its pieces are of one type, ranged or melee. Exactly one is a default, and at most one is in the
    printed loadout.
    """
    in_print = sum(1 for piece in pieces if printed[piece.item.lower()])
    return (
        _is_choice(pieces)
        and in_print <= 1
        and any(piece.is_default for piece in pieces)
        and len({piece.is_melee for piece in pieces}) == 1
    )


def _choice(name: str, node: Folder) -> Option:
    """Return a folder as one option: each piece an alternative, each inner folder a bundle."""
    bundles: list[tuple[Bundle, bool]] = [(_bundle([piece]), piece.is_default) for piece in node.pieces]
    bundles += [
        (_bundle(f.pieces), any(p.is_default for p in f.pieces)) for f in node.folders.values() if f.pieces
    ]
    default = next((i for i, (_, is_default) in enumerate(bundles) if is_default), None)
    return Option(name=name, alternatives=tuple(bundle for bundle, _ in bundles), default=default)


def _packages(nodes: dict[str, Folder]) -> Option:
    """Return whole loadouts as one option, with every combination spelled out.

    A model has one of them.
    """
    bundles: list[tuple[Bundle, bool]] = []
    for node in nodes.values():
        groups = [
            [(piece.item, piece.count, piece.is_default) for piece in f.pieces] for f in node.folders.values()
        ]
        base = [(piece.item, piece.count, piece.is_default) for piece in node.pieces]
        for combination in product(*groups):
            chosen = base + list(combination)
            bundle = tuple(Carried(item=item, count=count) for item, count, _ in chosen)
            bundles.append((bundle, all(is_default for _, _, is_default in chosen)))
    default = next((i for i, (_, is_default) in enumerate(bundles) if is_default), 0)
    return Option(name="loadout", alternatives=tuple(bundle for bundle, _ in bundles), default=default)


def settled(
    options: Sequence[Option], fixed: Bundle, printed: Counter[str], needed: Container[int]
) -> tuple[Option, ...]:
    """Return the options with the printed default where it names one of their alternatives.

    One that is `needed`, by its number, has its first alternative where nothing names another.
    """
    left = Counter(printed)
    left.subtract({each.item.lower(): each.count for each in fixed})
    found: dict[int, Option] = {}
    for number in sorted(range(len(options)), key=lambda i: _urgency(options[i], left)):
        option = options[number]
        sizes = [len(bundle) for bundle in option.alternatives]
        wanted = sorted(range(len(sizes)), key=lambda i: (i != option.default, -sizes[i]))
        chosen = next((i for i in wanted if _is_in(option.alternatives[i], left)), option.default)
        if chosen is None and number in needed:
            chosen = 0
        if chosen is not None:
            left.subtract({each.item.lower(): each.count for each in option.alternatives[chosen]})
        found[number] = replace(option, default=chosen)
    return tuple(found[number] for number in sorted(found))


def _urgency(option: Option, left: Counter[str]) -> int:
    """Return when to settle an option: first defaults that are in print, last those without one."""
    if option.default is None:
        return 2
    return 0 if _is_in(option.alternatives[option.default], left) else 1


def _is_in(bundle: Bundle, left: Counter[str]) -> bool:
    """Return whether the printed loadout still has the whole bundle."""
    return all(left[each.item.lower()] >= each.count for each in bundle)


def _bundle(pieces: Iterable[Piece]) -> Bundle:
    return tuple(Carried(item=piece.item, count=piece.count) for piece in pieces)
