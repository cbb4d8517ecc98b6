"""Which pieces keep a target from being fully visible.

Owns the verdict per piece: one convex part by its umbra, a hollow piece or one that the observer overlaps by
the general search, and several pieces together where none does it alone.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from geometry.measure.body import Bodies
from geometry.shape.array import left_of
from geometry.shape.base import TOLERANCE, Bools, Floats, Ints, distinct
from geometry.sight.combined_shadow import Scene, hides, hiding_owners
from geometry.sight.culling import Blocks, Standing, shades_of
from geometry.sight.landscape import Landscape, Parts
from geometry.sight.segments import Pairs
from geometry.sight.silhouette import Rims, rims_of
from geometry.sight.umbra import falls_on, hides_beyond, umbra


def obscured_pieces(
    observers: Bodies,
    targets: Bodies,
    landscape: Landscape,
    pairs: Pairs,
    standing: Standing,
    enough: Bools | None = None,
) -> Bools:
    """Return because of which pieces (n, m, p) each target is not fully visible to each observer.

    A piece counts where it alone hides some point of the target; pieces that hide a point only together
    count where none does so alone. Where one of the pieces that are `enough` hides a part of a target from
    any observer, others of that target may be left out. Rule: CORE.LOS.2, CORE.TER.5
    """
    count = max(len(targets), 1)
    answer = np.zeros((len(pairs.apart), len(landscape)), dtype=np.bool_)
    shape = (len(observers), len(targets), len(landscape))
    blocks = shades_of(observers, targets, landscape, pairs, standing)
    if not len(blocks.pair):
        return answer.reshape(shape)
    piece = landscape.parts.owner[blocks.part]
    i, j = np.divmod(blocks.pair, count)
    veil = landscape.of("veil")[piece]
    straddled = veil & standing.target_in[j, piece]
    own = ~landscape.parts.closes[blocks.part] | landscape.of("solid")[piece]
    overlapped = standing.observer_in[i, piece] & (blocks.low <= 0) & own & ~blocks.raised
    straddled &= ~landscape.parts.closes[blocks.part]

    def told(target: Ints) -> Bools:
        if enough is None:
            return np.zeros(len(target), dtype=np.bool_)
        hiding = answer.reshape(shape)[:, :, enough]
        return np.asarray(hiding.any(axis=(0, 2)))[target]

    def settled(pair: int) -> bool:
        return enough is not None and bool(answer[pair % count :: count, enough].any())

    _mark(answer, blocks, piece, veil & standing.target_within[j, piece])
    seam = landscape.parts.seams[blocks.part]
    plain = (~(straddled | overlapped | seam)).nonzero()[0]
    _mark(answer, blocks.take(plain), piece[plain], _alone(pairs, blocks.take(plain), landscape))
    searched = (~blocks.raised & ~seam & ~told(j)).nonzero()[0]
    special = (straddled | overlapped)[searched]
    _mark_searched(answer, pairs, blocks.take(searched), landscape, special, straddled[searched], settled)
    low = (~blocks.raised & ~told(j)).nonzero()[0]
    _mark_together(answer, pairs, blocks.take(low), landscape, straddled[low], settled)
    return answer.reshape(shape)


def _mark(answer: Bools, blocks: Blocks, piece: Ints, obscures: Bools) -> None:
    answer[blocks.pair[obscures], piece[obscures]] = True


def _alone(pairs: Pairs, blocks: Blocks, landscape: Landscape) -> Bools:
    """Return which blocks alone hide a point of their target."""
    here = pairs.take(blocks.pair)
    plate = blocks.bottom >= blocks.top  # it must be met at every share, another part at any
    low, high = np.where(plate, blocks.high, blocks.low), np.where(plate, blocks.low, blocks.high)
    normal, limit = umbra(here, landscape.parts.take(blocks.part), low, high)
    return falls_on(normal, limit, here.p)


def _mark_searched(
    answer: Bools,
    pairs: Pairs,
    blocks: Blocks,
    landscape: Landscape,
    special: Bools,
    straddled: Bools,
    settled: Callable[[int], bool],
) -> None:
    """Mark the pieces of several parts, and those that a body overlaps, which alone hide a point."""
    piece = landscape.parts.owner[blocks.part]
    group = blocks.pair * len(landscape) + piece
    groups, number = np.unique(group, return_inverse=True)
    wanted = (np.bincount(number) > 1) | (np.bincount(number, special) > 0)
    wanted &= ~answer.ravel()[groups]
    if not wanted.any():
        return
    kept = wanted[number]
    blocks, straddled, number = blocks.take(kept), straddled[kept], number[kept]
    wanted &= ~_plainly_seen(pairs, blocks, landscape, straddled, number, len(groups))
    for k in wanted.nonzero()[0]:
        if settled(int(groups[k]) // len(landscape)):
            continue
        rows = (number == k).nonzero()[0]
        own = blocks.take(rows)
        spared = _spared(own, landscape, straddled[rows])
        answer.ravel()[groups[k]] = hides(_scene(pairs, own, landscape), spared)


def _mark_together(
    answer: Bools,
    pairs: Pairs,
    blocks: Blocks,
    landscape: Landscape,
    straddled: Bools,
    settled: Callable[[int], bool],
) -> None:
    """Mark the pieces that hide a point only together, for pairs that no piece obscures alone."""
    piece = landscape.parts.owner[blocks.part]
    present = np.zeros(answer.shape, dtype=np.bool_)
    present[blocks.pair, piece] = True
    wanted = (present.sum(axis=1) > 1) & ~answer.any(axis=1)
    if not wanted.any():
        return
    kept = wanted[blocks.pair]
    blocks, straddled = blocks.take(kept), straddled[kept]
    wanted &= ~_plainly_seen(pairs, blocks, landscape, straddled, blocks.pair, len(wanted))
    for pair in wanted.nonzero()[0]:
        if settled(int(pair)):
            continue
        rows = np.arange(*np.searchsorted(blocks.pair, [pair, pair + 1]))
        own = blocks.take(rows)
        spared = _spared(own, landscape, straddled[rows])
        answer[pair, hiding_owners(_scene(pairs, own, landscape), spared)] = True


def _scene(pairs: Pairs, blocks: Blocks, landscape: Landscape) -> Scene:
    """Return the scene of these blocks, all of one pair."""
    pair = int(blocks.pair[0])
    owners = distinct(landscape.parts.owner[blocks.part])
    edges = np.isin(landscape.borders.owner, owners)
    return Scene(
        pairs.take(np.array([pair])),
        landscape.parts.take(blocks.part),
        blocks.low,
        blocks.high,
        landscape.corners[np.isin(landscape.corner_owner, owners)],
        np.stack([landscape.borders.start[edges], landscape.borders.end[edges]], axis=1),
    )


def _spared(blocks: Blocks, landscape: Landscape, straddled: Bools) -> list[Parts]:
    """Return the veils in which the target stands partly: what it has inside them is not asked for."""
    return [landscape.parts.take(blocks.part[straddled])] if straddled.any() else []


def _plainly_seen(
    pairs: Pairs, blocks: Blocks, landscape: Landscape, straddled: Bools, group: Ints, groups: int
) -> Bools:
    """Return for which groups of blocks one of four points of the observer sees the whole target past all.

    What the target has inside the straddled ones is not asked for.
    """
    if not len(group):
        return np.ones(groups, dtype=np.bool_)
    here = pairs.take(blocks.pair)
    left = left_of(here.e)
    at = [here.q.xy[:, None], here.q.facing(np.stack([here.e, left, -left], axis=1))]
    eyes = np.concatenate(at, axis=1).transpose(1, 0, 2)
    block = np.tile(np.arange(len(group)), len(eyes))
    here, parts = here.take(block), landscape.parts.take(blocks.part[block])
    here = here._replace(q=rims_of(eyes.reshape(-1, 2), np.zeros(len(block))))
    meets = _in_view(here.q.xy, here.p, parts)
    rows = (meets & straddled[block]).nonzero()[0]
    if len(rows):
        meets[rows] = hides_beyond(here.take(rows), parts.take(rows))
    by_eye = [np.bincount(group, some, minlength=groups) == 0 for some in meets.reshape(len(eyes), -1)]
    return np.asarray(np.stack(by_eye).any(axis=0))


def _in_view(eye: Floats, p: Rims, parts: Parts) -> Bools:
    """Return which parts come between their point and body; a few that do not may count."""
    at_eye = (parts.normal * eye[:, None, :]).sum(axis=2)
    apart = (np.minimum(at_eye, -p.beyond(-parts.normal)) >= parts.offset - TOLERANCE).any(axis=1)
    ways, exist = p.tangents(eye[:, None, :])
    off = parts.corner - eye[:, None, :]
    for side, sign in ((0, 1.0), (1, -1.0)):
        way = ways[:, 0, side]
        aside = sign * (way[:, None, 0] * off[..., 1] - way[:, None, 1] * off[..., 0])
        apart |= exist[:, 0] & (aside.min(axis=1) >= -TOLERANCE)
    answer: Bools = ~apart
    return answer
