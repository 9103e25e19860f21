"""The real OpenAI client, sync and async, against the running server: a stream is the same answer, however it comes."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import openai
import pytest
from openai import AsyncOpenAI, OpenAI
from openai.lib.streaming.chat import ChatCompletionStreamState

from app.api.chat_nasty import NASTY
from app.api.chat_replay import KNOWN
from app.api.chat_request import HONOURED, IGNORED, REFUSED
from tests.app.replay_answers import ANSWERS, HELLO, ODD, TOOLS
from tokcore.generation import STRATEGIES
from tokcore.parsing import FORMATS

ROOT = Path(__file__).resolve().parents[2]
CUTS: list[dict[str, Any]] = [
    {},
    {"tokens_per_delta": 1_000_000},
    {"tokens_per_delta": [1, 7]},
    {"cut_seed": 7},
    {"bursts": 1},
]
STOPS: list[dict[str, Any]] = [
    {},
    {"stop": ["</never>", "see.", "°C 🌞"]},
    {"stop": ["see", "tool"], "extra_body": {"include_stop_str_in_output": True}},
    {"max_completion_tokens": 12},
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server's address; it runs with the project's own configuration, on a port that was free."""
    log = tmp_path_factory.mktemp("gunicorn") / "log"
    command = [sys.executable, "-m", "gunicorn", "--config", "app/gunicorn_conf.py", "app:create_app()"]
    environment = {**os.environ, "HOST": "127.0.0.1", "PORT": "0", "WEB_CONCURRENCY": "1", "PYTHONPATH": str(ROOT)}
    environment["TOKBOARD_STALL_SECONDS"] = "2"
    with log.open("wb") as stderr:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=stderr, start_new_session=True
        )
    with process:
        assert process.stdout is not None
        said = process.stdout.readline().decode()
        assert said.startswith("Tokboard: http://127.0.0.1:"), log.read_text(encoding="utf-8")
        try:
            yield said.split()[1]
            process.terminate()
            process.wait(timeout=20)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    text = log.read_text(encoding="utf-8")
    assert "Traceback" not in text, text
    assert text.count("Booting worker") == 1, text


@pytest.fixture(scope="module")
def client(server: str) -> Iterator[OpenAI]:
    with OpenAI(base_url=f"{server}/v1", api_key="anything", max_retries=0, timeout=30) as found:
        yield found


def options(replay: Mapping[str, Any], **given: Any) -> dict[str, Any]:
    extra = {"replay": dict(replay), **given.pop("extra_body", {})}
    return {"model": "qwen3", "messages": HELLO, "extra_body": extra, **given}


def without_index(call: Any) -> dict[str, Any]:
    kept = {name: value for name, value in call.to_dict().items() if name != "index"}
    kept["function"].pop("parsed_arguments", None)
    return kept


def whole(completion: Any) -> dict[str, Any]:
    """What a client has of a completion, of one that was assembled too."""
    (choice,) = completion.choices
    message = choice.message
    return {
        "role": message.role,
        "content": message.content,
        "reasoning": getattr(message, "reasoning_content", None),
        "calls": [without_index(call) for call in message.tool_calls or ()],
        "finish_reason": choice.finish_reason,
        "usage": completion.usage.to_dict(),
        "model": completion.model,
    }


class ByHand:
    """What people write: a loop over chunks that adds up what is there."""

    def __init__(self) -> None:
        self.found: dict[str, Any] = {"role": None, "content": None, "reasoning": None, "calls": []}

    def add(self, chunk: Any) -> None:
        self.found["model"] = chunk.model
        if chunk.usage is not None:
            self.found["usage"] = chunk.usage.to_dict()
        for choice in chunk.choices:
            delta = choice.delta
            self.found["role"] = delta.role or self.found["role"]
            self.found["finish_reason"] = choice.finish_reason or self.found.get("finish_reason")
            for name, text in (("content", delta.content), ("reasoning", getattr(delta, "reasoning_content", None))):
                if text is not None:
                    self.found[name] = (self.found[name] or "") + text
            for part in delta.tool_calls or ():
                if part.index == len(self.found["calls"]):
                    function = {"name": part.function.name, "arguments": ""}
                    self.found["calls"].append({"id": part.id, "type": part.type, "function": function})
                self.found["calls"][part.index]["function"]["arguments"] += part.function.arguments or ""


def by_hand(chunks: Iterable[Any]) -> dict[str, Any]:
    hand = ByHand()
    for chunk in chunks:
        hand.add(chunk)
    return hand.found


USAGE: dict[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}
GRID = [(name, text, name) for name, (text, _) in ANSWERS.items()]
GRID += [(f"odd-{number}", text, "hermes") for number, text in enumerate(ODD)]


# ---- models and errors


def test_the_models_are_the_tokenizers(client: OpenAI) -> None:
    names = [model.id for model in client.models.list()]
    assert names[0] == "qwen3"
    assert client.models.retrieve("qwen3").owned_by == "tokboard"


def test_the_client_s_error_classes_arise_with_readable_messages(client: OpenAI) -> None:
    with pytest.raises(openai.NotFoundError, match="there is no tokenizer 'gpt-9' here") as missing:
        client.chat.completions.create(model="gpt-9", messages=HELLO)
    assert (missing.value.code, missing.value.param) == ("model_not_found", "model")
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("gpt/9")
    image: Any = [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:,"}}]}]
    with pytest.raises(openai.BadRequestError, match="parts of type 'image_url' are not read here") as refused:
        client.chat.completions.create(model="qwen3", messages=image)
    assert refused.value.param == "messages[0].content[0].type"
    with pytest.raises(openai.BadRequestError, match=r"replay\.colour: this parameter is not known here") as unknown:
        client.chat.completions.create(**options({"colour": 1}), stream=True)
    assert (unknown.value.code, unknown.value.type) == ("unknown_parameter", "invalid_request_error")


# ---- the same answer


def test_every_format_has_an_answer_here() -> None:
    assert set(ANSWERS) == set(FORMATS)


@pytest.mark.parametrize("name", ANSWERS)
def test_a_whole_answer_is_what_its_format_says(client: OpenAI, name: str) -> None:
    text, expected = ANSWERS[name]
    found = whole(client.chat.completions.create(**options({"output": text, "format": name}), tools=TOOLS))
    calls = [(call["function"]["name"], json.loads(call["function"]["arguments"])) for call in found["calls"]]
    assert {**expected, "calls": calls} == expected
    assert (found["content"], found["reasoning"]) == (expected.get("content"), expected.get("reasoning"))
    assert found["finish_reason"] == "tool_calls"


@pytest.mark.parametrize("stop", STOPS, ids=str)
@pytest.mark.parametrize(("name", "text", "form"), GRID, ids=[name for name, *_ in GRID])
def test_a_stream_assembles_to_the_whole_answer(
    client: OpenAI, name: str, text: str, form: str, stop: dict[str, Any]
) -> None:
    expected = whole(client.chat.completions.create(**options({"output": text, "format": form}, **stop), tools=TOOLS))
    for cut in CUTS:
        asked = options({"output": text, "format": form, **cut}, **stop, **USAGE)
        # The client's own accumulation, and the loop that people write, over the same chunks.
        state, hand = ChatCompletionStreamState(), ByHand()
        for chunk in client.chat.completions.create(**asked, tools=TOOLS):
            state.handle_chunk(chunk)
            hand.add(chunk)
        assert hand.found == expected, cut
        assert whole(state.current_completion_snapshot) == expected, cut


@pytest.mark.parametrize("name", ANSWERS)
def test_the_stream_helper_reads_the_calls(client: OpenAI, name: str) -> None:
    text, _ = ANSWERS[name]
    asked = options({"output": text, "format": name, "cut_seed": 3})
    expected = whole(client.chat.completions.create(**asked, tools=TOOLS))
    events = []
    with client.chat.completions.stream(**asked, tools=TOOLS, stream_options={"include_usage": True}) as stream:
        events = [event.type for event in stream]
        final = stream.get_final_completion()
    assert whole(final) == expected
    calls = final.choices[0].message.tool_calls
    assert calls is not None
    assert [call.function.parsed_arguments for call in calls] == [
        json.loads(call["function"]["arguments"]) for call in expected["calls"]
    ]
    assert events.count("tool_calls.function.arguments.done") == len(calls)


def test_the_async_client_has_the_same(server: str, client: OpenAI) -> None:
    async def ask() -> None:
        async with AsyncOpenAI(base_url=f"{server}/v1", api_key="anything", max_retries=0, timeout=30) as found:
            for _, text, form in GRID:
                asked = options({"output": text, "format": form, "cut_seed": 5})
                expected = whole(await found.chat.completions.create(**asked, tools=TOOLS))
                assert expected == whole(client.chat.completions.create(**asked, tools=TOOLS))
                hand = ByHand()
                async for chunk in await found.chat.completions.create(**asked, tools=TOOLS, **USAGE):
                    hand.add(chunk)
                assert hand.found == expected
            helper = found.chat.completions.stream(**asked, stream_options={"include_usage": True})
            async with helper as stream:
                assert (await stream.get_final_completion()).choices[0].message.content
            with pytest.raises(openai.BadRequestError, match="n: found 9"):
                await found.chat.completions.create(**asked, n=9)

    asyncio.run(ask())


def test_control_tokens_of_a_vocabulary_are_read_as_the_format_s_markers(client: OpenAI) -> None:
    """In DeepSeek's vocabulary they are tokens that decoding would leave out."""
    text, expected = ANSWERS["deepseek_v31"]
    for cut in ({}, {"tokens_per_delta": 1000}):
        asked = options({"output": text, "format": "deepseek_v31", **cut}, model="deepseek-v4", **USAGE)
        found = by_hand(client.chat.completions.create(**asked, tools=TOOLS))
        assert [call["function"]["name"] for call in found["calls"]] == ["weather"]
        assert (found["reasoning"], found["content"]) == (expected["reasoning"], expected["content"])


def test_several_clients_at_once_do_not_mix(server: str) -> None:
    def ask(number: int) -> bool:
        text = f"<think>I am {number}</think>" + f" {number}" * 40
        with OpenAI(base_url=f"{server}/v1", api_key=str(number), max_retries=0, timeout=30) as own:
            asked = options({"output": text, "delay_ms": 2, "cut_seed": number}, **USAGE)
            found = by_hand(own.chat.completions.create(**asked))
        return (found["reasoning"], found["content"]) == (f"I am {number}", f" {number}" * 40)

    with ThreadPoolExecutor(12) as pool:
        assert list(pool.map(ask, range(24))) == [True] * 24


def test_choices_arrive_beside_one_another(client: OpenAI) -> None:
    state = ChatCompletionStreamState()
    for chunk in client.chat.completions.create(**options({"output": "One 🚀"}, **USAGE), n=3):
        state.handle_chunk(chunk)
    choices = state.current_completion_snapshot.choices
    assert [(choice.index, choice.message.content) for choice in choices] == [(n, "One 🚀") for n in range(3)]


# ---- nasty streams, pauses, clients that leave


@pytest.mark.parametrize("nasty", [[name] for name in NASTY] + [[n for n in NASTY if n != "role_every_chunk"]], ids=str)
def test_the_client_survives_every_nasty_stream(client: OpenAI, nasty: list[str]) -> None:
    text, _ = ANSWERS["hermes"]
    expected = whole(client.chat.completions.create(**options({"output": text}), tools=TOOLS))
    asked = options({"output": text, "nasty": nasty, "cut_seed": 2}, **USAGE)
    state, hand = ChatCompletionStreamState(input_tools=TOOLS), ByHand()
    for chunk in client.chat.completions.create(**asked, tools=TOOLS):
        list(state.handle_chunk(chunk))
        hand.add(chunk)
    assert hand.found == expected
    own = whole(state.get_final_completion())
    # The client joins roles like any text; the documentation says so.
    assert own.pop("role").replace("assistant", "") == ""
    assert own == {name: value for name, value in expected.items() if name != "role"}


def test_deltas_come_one_by_one_with_their_pauses(client: OpenAI) -> None:
    begun, arrived = time.monotonic(), []
    for chunk in client.chat.completions.create(**options({"output": "a b c d", "delay_ms": 120}), stream=True):
        if chunk.choices[0].delta.content:
            arrived.append(time.monotonic() - begun)
    gaps = [later - earlier for earlier, later in pairwise(arrived)]
    assert len(gaps) == 3
    assert min(gaps) > 0.05 and sum(gaps) > 0.3


def raw_stream(server: str, replay: Mapping[str, Any], **members: Any) -> socket.socket:
    """A connection with room for little, on which a stream has begun."""
    host, port = server.removeprefix("http://").split(":")
    raw = json.dumps({"model": "qwen3", "messages": HELLO, "stream": True, "replay": replay, **members}).encode()
    head = "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(30)
    connection.connect((host, int(port)))
    connection.sendall(f"{head}Accept-Encoding: br, gzip\r\nContent-Length: {len(raw)}\r\n\r\n".encode() + raw)
    return connection


def test_the_body_is_cut_where_it_says(server: str) -> None:
    """The chunks of the HTTP body, as they lie on the wire: one event each, or pieces of characters and lines."""
    for nasty, expected in (([], b"\n\n"), (["split_utf8_writes"], b"\xf0\x9f")):
        with raw_stream(server, {"output": "🚀", "nasty": nasty}) as connection:
            answer = b""
            while not answer.endswith(b"0\r\n\r\n"):
                answer += connection.recv(65536)
        head, _, rest = answer.partition(b"\r\n\r\n")
        assert b"transfer-encoding: chunked" in head.lower()
        assert b"content-encoding" not in head.lower() and b"content-security-policy" in head.lower()
        sizes_and_data = re.split(rb"\r\n", rest)
        assert any(part.endswith(expected) or part.endswith(b"\xf0") for part in sizes_and_data)
        pieces = []
        while rest:
            size, _, rest = rest.partition(b"\r\n")
            pieces.append(rest[: int(size, 16)])
            rest = rest[int(size, 16) + 2 :]
        assert (b"dat" in pieces) is bool(nasty)
        if not nasty:
            assert all(piece.endswith(b"\n\n") for piece in pieces if piece)


def test_clients_that_leave_give_their_threads_back_at_once(server: str, client: OpenAI) -> None:
    """A worker has 32 threads; streams that pause, and that nobody listens to any more, hold none."""
    left = [raw_stream(server, {"output": "one two", "delay_ms": 2000}) for _ in range(32)]
    for connection in left:
        answer = b""
        while b'"content":"one"' not in answer:
            answer += connection.recv(1000)
    begun = time.monotonic()
    for connection in left:
        connection.close()
    assert client.models.list().data
    assert time.monotonic() - begun < 1.2


def test_clients_that_stop_reading_are_left(server: str, client: OpenAI) -> None:
    """A client that takes nothing for two seconds, as this server is set, is gone: even in the middle of a delta."""
    endless = {"ids": [56940] * 8000, "tokens_per_delta": 8000}
    stalled = [raw_stream(server, endless, n=8) for _ in range(32)]
    for connection in stalled:
        assert b"200 OK" in connection.recv(100)
    assert client.models.list().data
    for connection in stalled:
        connection.close()


# ---- the documentation


def documentation() -> str:
    return (ROOT / "docs" / "replay-endpoint.md").read_text(encoding="utf-8")


def test_every_example_of_the_documentation_runs(server: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each Python block prints what the block behind it shows."""
    pairs = re.findall(r"```python\n(.*?)```\n+```text\n(.*?)```", documentation(), re.DOTALL)
    assert len(pairs) == documentation().count("```python") >= 4
    names: dict[str, Any] = {}
    for code, shown in pairs:
        exec(compile(code.replace("http://127.0.0.1:8000", server), "docs/replay-endpoint.md", "exec"), names)
        assert capsys.readouterr().out == shown
    names["client"].close()


def test_the_shell_example_of_the_documentation_runs(server: str) -> None:
    """But for id and time, which are others each time."""
    ((sent, shown),) = re.findall(
        r"```sh\ncurl [^\n]*-d '([^\n]*)'\n```\n+```text\n(.*?)```", documentation(), re.DOTALL
    )
    headers = {"Content-Type": "application/json"}
    asked = urllib.request.Request(f"{server}/v1/chat/completions", sent.encode(), headers)
    with urllib.request.urlopen(asked, timeout=30) as answer:
        log = answer.read().decode()
    log = re.sub(r'"chatcmpl-\w+"', '"chatcmpl-…"', log)
    assert re.sub(r'"created":\d+', '"created":…', log) == shown + "\n"


def test_the_documentation_names_everything() -> None:
    text = documentation()
    for name in (*HONOURED, *IGNORED, *REFUSED, *KNOWN, *NASTY, *STRATEGIES, *FORMATS):
        assert f"`{name}`" in text or f"`replay.{name}`" in text, name
