"""What a template reads and needs, found without running it, and what its switches change."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.chat.conversations import USER
from tests.core.chat.reference import NOW
from tests.core.chat.templates import BROKEN, TEMPLATES
from tests.core.chat.test_reference import published
from tokcore.chat import CHATML_TEMPLATE, render_chat
from tokcore.chat.errors import ChatError, TemplateSyntax
from tokcore.chat.variables import probe_switches, template_facts


def names(source: str, role: str) -> list[str]:
    return [variable.name for variable in template_facts(source).variables if variable.role == role]


def needed(source: str) -> dict[str, tuple[str, tuple[int, ...]]]:
    return {feature.name: (feature.needs, feature.lines) for feature in template_facts(source).features}


def test_our_template_reads_one_switch_of_its_own() -> None:
    assert names(CHATML_TEMPLATE, "own") == ["enable_thinking"]
    assert names(CHATML_TEMPLATE, "conversation") == ["add_generation_prompt", "messages", "tools"]
    assert names(CHATML_TEMPLATE, "special token") == []


@pytest.mark.parametrize(
    ("name", "own", "special"),
    [("qwen3", ["enable_thinking"], []), ("llama3", [], ["bos_token"]), ("deepseek_v3", [], ["bos_token"])],
)
def test_variables_of_a_published_template_are_found(name: str, own: list[str], special: list[str]) -> None:
    template, _ = published(name)
    assert (names(template, "own"), names(template, "special token")) == (own, special)


def test_a_variable_says_where_it_is_read_and_what_it_is_compared_with() -> None:
    template = (
        "{% if effort is defined %}\n{% if effort == 'low' or effort in ['high', 'max'] %}{{ effort }}{% endif %}\n"
        "{% endif %}{{ date | default('today') }}{% if flag is true %}{% endif %}"
        "{% if style is not defined %}{% set style = 'plain' %}{% endif %}{{ style }}"
    )
    found = {variable.name: variable for variable in template_facts(template).variables}
    assert found["effort"].lines == (1, 2) and found["effort"].guarded
    assert set(found["effort"].choices) == {"low", "high", "max"}
    assert found["date"].choices == ("today",) and not found["date"].guarded
    assert found["flag"].choices == (True,)
    assert found["style"].choices == ("plain",), "set in the template, and wanted from outside all the same"


def test_a_name_that_the_template_sets_is_none_of_its_variables() -> None:
    assert names("{% if messages %}{% set x = 1 %}{% endif %}{{ x }}{{ y }}", "own") == ["y"]
    assert names("{% for m in messages %}{{ m.role }}{{ loop.index }}{{ range(3) }}{% endfor %}", "own") == []


@pytest.mark.parametrize(
    ("template", "name", "needs"),
    [
        ("generation", "{% generation %}", "chat templates"),
        ("loopcontrols", "{% break %}", "chat templates"),
        ("loopcontrols", "{% continue %}", "chat templates"),
        ("clock", "strftime_now()", "chat templates"),
        ("strict", "raise_exception()", "chat templates"),
        ("tojson", "tojson with arguments", "chat templates"),
        ("macros", "{% macro %}", "Jinja"),
        ("macros", "{% call %}", "Jinja"),
        ("namespace", "namespace()", "Jinja"),
        ("recursion", "recursive loops", "Jinja"),
        ("filters", "{% filter %}", "Jinja"),
        ("set blocks", "{% set %} with a body", "Jinja"),
        ("blocks", "{% block %}", "Jinja"),
        ("slices", "slices with a step", "Python"),
        ("string methods", ".split()", "Python"),
        ("string methods", "formatting with %", "Python"),
        ("parts", ".items()", "Python"),
    ],
)
def test_a_feature_that_engines_may_lack_is_named_with_its_lines(template: str, name: str, needs: str) -> None:
    kind, lines = needed(TEMPLATES[template])[name]
    assert kind == needs
    shown = [TEMPLATES[template].splitlines()[line - 1] for line in lines]
    word = name.strip("{%} ().").split()[0]
    assert all(word in line or word in ("formatting", "slices", "recursive") for line in shown)


def test_a_plain_template_needs_nothing_special() -> None:
    assert needed(TEMPLATES["lines"]) == needed(TEMPLATES["trimmed"]) == {}


def test_fields_that_a_template_looks_up_are_listed() -> None:
    assert template_facts(TEMPLATES["parts"]).fields == (
        *("arguments", "content", "function", "id", "name", "reasoning_content", "role", "text", "thinking"),
        *("tool_calls", "type"),
    )


def test_a_switch_is_tried_three_ways() -> None:
    (probe,) = probe_switches(CHATML_TEMPLATE, [USER])
    assert probe.matters and probe.unset == probe.on == render_chat(CHATML_TEMPLATE, [USER])
    assert probe.off == render_chat(CHATML_TEMPLATE, [USER], enable_thinking=False)
    (without,) = probe_switches(CHATML_TEMPLATE, [USER], add_generation_prompt=False)
    assert not without.matters


def test_a_switch_that_the_template_refuses_is_told_apart_from_an_empty_prompt() -> None:
    template = "{% if x is defined and x %}{{ raise_exception('no') }}{% endif %}{{ y | length }}"
    probes = {probe.name: probe for probe in probe_switches(template, [USER], y="ab")}
    assert (probes["x"].unset, probes["x"].on, probes["x"].off) == ("2", None, "2")
    assert (probes["y"].unset, probes["y"].on) == ("0", None)


def test_facts_are_found_in_every_template_and_probing_changes_no_rendering() -> None:
    for template in TEMPLATES.values():
        facts = template_facts(template)
        assert "messages" in [variable.name for variable in facts.variables]
        options: dict[str, Any] = {"bos_token": "<s>", "now": NOW}
        try:
            expected = render_chat(template, [USER], **options)
        except ChatError:
            continue
        assert all(probe.unset == expected for probe in probe_switches(template, [USER], **options))


def test_a_template_that_does_not_compile_has_no_facts() -> None:
    with pytest.raises(TemplateSyntax):
        template_facts(BROKEN["an open block"])
