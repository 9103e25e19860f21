"""What the tests of the chat lab ask of its HTML, and how they fill in its form."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

from flask.testing import FlaskClient

ECHO = "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}"


def plain_text(html: str) -> str:
    """What stands in HTML, white space collapsed."""
    return " ".join(unescape(re.sub(r"<.*?>", " ", html)).split())


def drawn_prompt(html: str) -> str:
    """The prompt as drawn, labels left out, signs of white space read back."""
    found = re.search(r'<div class="prompt" id="prompt".*?</div>', html, re.S)
    assert found is not None
    text = re.sub(r'<a class="who-name".*?</a>', "", found[0])
    text = text.replace('<i class="nl" title="newline U+000A"></i>', "\n")
    return unescape(re.sub(r"<.*?>", "", text))


def sentence(html: str) -> str:
    found = re.search(r'<p class="meaning">(.*?)</p>', html)
    assert found is not None
    return unescape(found[1])


def trouble(html: str, field: str) -> str:
    found = re.search(rf'id="problem-{field}".*?>(.*?)</div>', html, re.S)
    assert found is not None
    return plain_text(found[1])


def area(html: str, name: str) -> str:
    """What stands in a text box."""
    found = re.search(rf'<textarea id="{name}".*?>\n(.*?)</textarea>', html, re.S)
    assert found is not None
    return unescape(found[1])


def fields(html: str) -> dict[str, str]:
    """The form as a browser without script would send it."""
    form = re.search(r'<form class="panel input".*?</form>', html, re.S)
    assert form is not None
    sent: dict[str, str] = {}
    for tag in re.finditer(r"<(input|textarea|select)\b([^>]*)>(?:\n?(.*?)</\1>)?", _closed(form[0]), re.S):
        name = re.search(r'\bname="([^"]*)"', tag[2])
        if name is None:
            continue
        value = re.search(r'\bvalue="([^"]*)"', tag[2])
        if tag[1] == "textarea":
            sent[unescape(name[1])] = unescape(tag[3] or "")
        elif tag[1] == "select":
            chosen = re.search(r'<option(?: value="([^"]*)")? selected>([^<]*)', tag[3] or "")
            first = re.search(r'<option(?: value="([^"]*)")?>([^<]*)', tag[3] or "")
            picked = chosen or first
            if picked is not None:
                sent[unescape(name[1])] = unescape(picked[2] if picked[1] is None else picked[1])
        elif ('type="radio"' not in tag[2] and 'type="checkbox"' not in tag[2]) or "checked" in tag[2]:
            sent[unescape(name[1])] = unescape(value[1]) if value else ""
    return sent


def _closed(form: str) -> str:
    return re.sub(r"<input\b([^>]*)>", r"<input\1></input>", form)


def exported(client: FlaskClient, sent: dict[str, str]) -> Any:
    answer = client.post("/chat.json", data=sent)
    assert answer.status_code == 200, answer.text[:300]
    return json.loads(answer.text)


def chat(*messages: dict[str, Any], **more: str) -> dict[str, str]:
    return {"messages": json.dumps(messages, ensure_ascii=False), "view": "json", **more}


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}
