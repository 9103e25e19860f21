"""The reference library in a process of its own: some broken files abort it, and the process with it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

CHILD = """
import json, sys, tokenizers
for line in sys.stdin:
    file, text = json.loads(line)
    answer = {}
    try:
        tokenizer = tokenizers.Tokenizer.from_str(file)
    except BaseException as error:
        answer = {"refusal": str(error), "panic": not isinstance(error, Exception)}
    else:
        try:
            encoding = tokenizer.encode(text)
            ids = encoding.ids
            decoded = [tokenizer.decode(ids, skip) for skip in (True, False)]
            answer = {"result": [ids, encoding.tokens, encoding.offsets, encoding.word_ids, decoded]}
        except BaseException as error:
            answer = {"no_result": str(error), "panic": not isinstance(error, Exception)}
    print(json.dumps(answer), flush=True)
"""


@dataclass(frozen=True)
class Answer:
    """What the reference makes of a file: `result` for the text (ids, tokens, offsets, word ids, the ids decoded with
    special tokens skipped and not), or why it took not the text, or not even the file.
    """

    result: list[Any] | None = None
    no_result: str | None = None
    refusal: str | None = None
    panic: bool = False


class ReferenceProcess:
    """Started anew whenever it dies; use as a context manager."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[str] | None = None

    def __enter__(self) -> ReferenceProcess:
        return self

    def __exit__(self, *exception: Any) -> None:
        self._stop()

    def ask(self, file: bytes, text: str) -> Answer:
        """Load the file and encode the text."""
        try:
            request = json.dumps([file.decode(), text])
        except UnicodeDecodeError as error:
            return Answer(refusal=str(error))
        child = self._child or self._start()
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(request + "\n")
        child.stdin.flush()
        line = child.stdout.readline()
        if not line:
            self._stop()
            return Answer(refusal="the process died", panic=True)
        return Answer(**json.loads(line))

    def _start(self) -> subprocess.Popen[str]:
        self._child = subprocess.Popen(
            [sys.executable, "-c", CHILD],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            env={**os.environ, "RUST_BACKTRACE": "0", "TOKENIZERS_PARALLELISM": "false"},
        )
        return self._child

    def _stop(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.communicate()
