"""Tokenizer files broken in every way that files break, from a seed."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

# Values of every type, and the ones at the edges of what a file may hold.
VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        3,
        256,
        2**31,
        2**32 - 1,
        2**32,
        2**63,
        2**64 - 1,
        2**64,
        10**400,
        0.0,
        0.5,
        -1e308,
        1e999,
    ),
    *(
        "",
        "a",
        "▁",
        "\x00",
        "é",
        "漢字",
        "x" * 500,
        "a b",
        "[",
        "(?<=a+)b",
        r"\p{Foo}",
        r"(a)\1",
        "(?i)ß",
        "a{2,1}",
        r"\X",
    ),
    *("Left", "Right", "first", "Removed", "LongestFirst", "Fixed", "NFC", "Sequence", "ByteLevel", "BPE", "A", "B"),
    *(
        [],
        [[]],
        ["a"],
        ["a", 0],
        [0, "a"],
        [None],
        {},
        {"type": "NFC"},
        {"type": "Fuse"},
        {"String": "a"},
        {"Regex": "a|b"},
    ),
    *({"Regex": "("}, {"type": "Sequence"}, {"Fixed": 3}, {"Sequence": {"id": "A", "type_id": 0}}, {"a": None}),
)
KEYS = (
    "type",
    "id",
    "content",
    "pattern",
    "vocab",
    "merges",
    "unk_id",
    "prefix",
    "foo",
    "",
    "a/b~c",
    "String",
    "Regex",
)

Place = tuple[Any, Any]


def places(value: Any) -> list[Place]:
    """Every (container, key) in a file; of a vocabulary and other long lists only some."""
    found: list[Place] = []
    if isinstance(value, dict | list):
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        for key in keys if len(keys) <= 30 else [*keys[:3], *keys[-3:]]:
            found.append((value, key))
            found += places(value[key])
    return found


def drop(random: Random, place: Place, file: Any) -> None:
    del place[0][place[1]]


def put(random: Random, place: Place, file: Any) -> None:
    place[0][place[1]] = copy.deepcopy(random.choice(VALUES))


def put_another_s(random: Random, place: Place, file: Any) -> None:
    container, key = random.choice(places(file))
    place[0][place[1]] = copy.deepcopy(container[key])


def add_a_key(random: Random, place: Place, file: Any) -> None:
    if isinstance(place[0], dict):
        place[0][random.choice(KEYS)] = copy.deepcopy(random.choice(VALUES))
    else:
        place[0].insert(place[1], copy.deepcopy(random.choice(VALUES)))


def rename(random: Random, place: Place, file: Any) -> None:
    if isinstance(place[0], dict):
        place[0][random.choice((*KEYS, place[1][:-1], place[1].title()))] = place[0].pop(place[1])
    else:
        place[0].reverse()


def cut(random: Random, place: Place, file: Any) -> None:
    value = place[0][place[1]]
    if isinstance(value, str | list):
        start = random.randint(0, len(value))
        place[0][place[1]] = value[:start] + value[random.randint(start, len(value)) :]
    elif isinstance(value, dict) and value:
        value.pop(random.choice(list(value)))


def nest(random: Random, place: Place, file: Any) -> None:
    value = place[0][place[1]]
    children = random.choice(("normalizers", "pretokenizers", "processors", "decoders", ""))
    for _ in range(random.choice((1, 1, 2, 70, 130))):
        value = {"type": "Sequence", children: [value]} if children else [value]
    place[0][place[1]] = value


def change_a_number(random: Random, place: Place, file: Any) -> None:
    value = place[0][place[1]]
    if isinstance(value, bool):
        place[0][place[1]] = not value
    elif isinstance(value, int | float):
        place[0][place[1]] = random.choice((value + 1, value - 1, -value, value * 10**9, 0.5, str(value)))
    elif isinstance(value, str):
        place[0][place[1]] = random.choice((value * 2, value + " ", value.upper(), [value], value[:1], value[1:]))


def retype(random: Random, place: Place, file: Any) -> None:
    """Some component without its type, or with what is none, or with another's."""
    typed = [value for value in (c[k] for c, k in places(file)) if isinstance(value, dict) and "type" in value]
    if typed:
        component = random.choice(typed)
        names = [name for other in typed if isinstance(name := other["type"], str)]
        name = random.choice((*names, *({name: None} for name in names), None, None, 1, "Foo"))
        component["type"] = name
        if name is None:
            del component["type"]


def give_an_id_twice(random: Random, place: Place, file: Any) -> None:
    vocab = file.get("model", {}).get("vocab") if isinstance(file.get("model"), dict) else None
    if isinstance(vocab, dict) and len(vocab) > 1:
        one, other = random.sample(list(vocab), 2)
        vocab[one] = vocab[other]
    elif isinstance(vocab, list) and vocab:
        vocab.append(copy.deepcopy(random.choice(vocab)))


MUTATIONS: Sequence[Callable[[Random, Place, Any], None]] = (
    *(put, put, put, put_another_s, drop, drop, add_a_key, rename, cut, nest, change_a_number, change_a_number),
    *(retype, give_an_id_twice),
)


def mutated(sources: Sequence[str], seed: int) -> bytes:
    """One broken file: one or two mutations of its JSON, or of its bytes."""
    random = Random(seed)
    text = random.choice(sources)
    if random.random() < 0.1:
        return broken_bytes(random, text.encode())
    file = json.loads(text)
    for _ in range(random.choice((1, 1, 1, 2))):
        # Half of them at the components, which are a small part of the file.
        part = random.choice((file, *(file[key] for key in list(file) if isinstance(file[key], dict | list))))
        found = places(part) or places(file)
        if found:
            random.choice(MUTATIONS)(random, random.choice(found), file)
    return json.dumps(file, ensure_ascii=random.random() < 0.5).encode("utf-8", "surrogatepass")


def broken_bytes(random: Random, data: bytes) -> bytes:
    """The bytes cut short, or a few of them changed."""
    if random.random() < 0.3:
        return data[: random.randint(0, len(data))]
    changed = bytearray(data)
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(changed))
        changed[at] = random.choice((changed[at] ^ 1 << random.randrange(8), *b'"{}[],:0\\ \x00\xff'))
    return bytes(changed)
