"""Chat templates written for the tests: together they use every feature that templates in the wild use."""

from __future__ import annotations

from pathlib import Path

# Read as bytes: one of them holds a carriage return.
TEMPLATES = {
    path.stem.replace("_", " "): path.read_bytes().decode()
    for path in sorted(Path(__file__).with_name("jinja").glob("*.jinja"))
}

# Each of these is refused by both.
BROKEN = {
    "no such variable": "{{ nothing.at_all }}",
    "no such filter": "{{ messages | frobnicate }}",
    "an open block": "{% for m in messages %}{{ m.role }}",
    "an unknown tag": "{% frob %}",
    "writes to the messages": "{% set _ = messages.append(1) %}",
    "changes a message": "{% set _ = messages[0].update({}) %}",
    "looks for classes": "{{ ''.__class__.__mro__ }}",
    "a hidden attribute of a namespace": "{% set ns = namespace() %}{% set ns._x = 1 %}",
    "a range too long": "{{ range(100001) }}",
    "divides by zero": "{{ 1 / 0 }}",
    "adds a number to text": "{{ messages[0].role + 1 }}",
    "includes a file": "{% include 'x' %}",
    "an extension that is not there": "{% do messages %}",
    "calls text": "{{ 'a'() }}",
    "formats its way out": "{{ '{0.__class__.__mro__}'.format(1) }}",
    "raises": "{{ raise_exception('no') }}",
    "a macro that never ends": "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    "break outside of a loop": "{% break %}",
    "twenty-two loops": "{% for a in [1] %}" * 22 + "{% endfor %}" * 22,
    "JSON of something undefined": "{{ nothing | tojson }}",
}
