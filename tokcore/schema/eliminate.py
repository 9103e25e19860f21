r"""From a table of states to an expression: equal states become one, then one state after the other is taken out.

>>> even = {0: {"0": 0, "1": 1}, 1: {"0": 0, "1": 1}}
>>> expression = expression_of(even, start=0, accepting={0}, limit=100)
>>> spelled(expression)
'(?:0|11*0)*'
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tokcore.schema.charsets import of, union
from tokcore.schema.expr import EMPTY, NOTHING, Expr, chars, choice, repeat, seq, spelled, spelled_length

__all__ = ["expression_of", "spelled"]

# With more states that really differ no pattern has come out short in practice.
MAX_STATES = 40

# State → character → next state.
Table = Mapping[int, Mapping[str, int]]


def expression_of(table: Table, *, start: int, accepting: Collection[int], limit: int) -> Expr | None:
    """What leads from `start` to an accepting state; None where its pattern would be longer than `limit`."""
    block = _blocks(table, accepting)
    if len(set(block.values())) > MAX_STATES:
        return None
    edges: dict[int, dict[int, Expr]] = {}
    for state, nexts in table.items():
        letters: dict[int, str] = {}
        for letter, target in nexts.items():
            letters[block[target]] = letters.get(block[target], "") + letter
        edges[block[state]] = {target: chars(union(*map(of, each))) for target, each in letters.items()}
    begin, end = -1, -2
    edges[begin] = {block[start]: EMPTY}
    for state in accepting:
        edges[block[state]][end] = EMPTY
    inner = set(block.values())
    while inner:
        sizes = {source: {target: spelled_length(way) for target, way in row.items()} for source, row in edges.items()}
        state = min(inner, key=lambda each: (_cost(sizes, each), each))
        inner.remove(state)
        out = edges.pop(state)
        loop = repeat(out.pop(state, NOTHING))
        for row in edges.values():
            into = row.pop(state, None)
            if into is None:
                continue
            for target, way in out.items():
                row[target] = choice(row.get(target, NOTHING), seq(into, loop, way))
                if spelled_length(row[target]) > limit:
                    return None
    return edges[begin].get(end, NOTHING)


def _cost(sizes: Mapping[int, Mapping[int, int]], state: int) -> int:
    """How much longer the pattern gets when the state is taken out."""
    into = [row[state] for source, row in sizes.items() if source != state and state in row]
    out = [size for target, size in sizes[state].items() if target != state]
    return sum(into) * len(out) + sum(out) * len(into) + sizes[state].get(state, 0) * len(into) * len(out)


def _blocks(table: Table, accepting: Collection[int]) -> dict[int, int]:
    """State → number of its class of states with the same future."""
    block = {state: int(state in accepting) for state in table}
    while True:
        signatures: dict[tuple[object, ...], int] = {}
        finer = {}
        for state, row in table.items():
            signature = (block[state], *sorted((letter, block[target]) for letter, target in row.items()))
            finer[state] = signatures.setdefault(signature, len(signatures))
        if len(signatures) == len(set(block.values())):
            return finer
        block = finer
