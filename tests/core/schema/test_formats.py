"""Formats: everything that comes through is valid, and plain cases do come through."""

import datetime
import ipaddress
import json
import re
import urllib.parse
import uuid

import pytest

from tokcore.schema import compile_schema, sample
from tokcore.schema.errors import SchemaError

YES = {
    "date": ["2024-02-29", "2000-02-29", "2023-12-31", "0001-01-01", "9999-04-30", "2400-02-29"],
    "time": ["00:00:00Z", "23:59:59+05:30", "12:00:00.123456789-23:59"],
    "date-time": ["2024-02-29T12:00:00Z", "1999-12-31T23:59:59.5+00:00"],
    "uuid": ["123e4567-e89b-12d3-a456-426614174000", "ABCDEF00-0000-0000-0000-000000000000"],
    "email": ["a@b.co", "first.last+tag@sub.example.org", "o'neill@example.com"],
    "hostname": ["localhost", "a-b.example.com", "1.2"],
    "ipv4": ["0.0.0.0", "255.255.255.255", "192.168.1.10"],
    "ipv6": [
        "::",
        "::1",
        "1::",
        "1:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:7::",
        "::2:3:4:5:6:7:8",
        "fe80::1:2",
        "::ffff:1.2.3.4",
    ],
    "uri": ["http://a.b/c?d=e#f", "mailto:a@b.c", "urn:isbn:123", "file:///etc/x", "https://u:p@h.org:80/%20"],
}
NO = {
    "date": [
        "2023-02-29",
        "1900-02-29",
        "2024-04-31",
        "2024-13-01",
        "2024-00-10",
        "2024-1-1",
        "0000-01-01",
        "24-01-01",
    ],
    "time": ["24:00:00Z", "12:60:00Z", "12:00:60Z", "12:00Z", "12:00:00", "12:00:00.Z", "12:00:00+24:00"],
    "date-time": ["2024-02-29 12:00:00Z", "2023-02-29T12:00:00Z", "2024-02-29T12:00:00", "2024-02-29t12:00:00z"],
    "uuid": ["123e4567e89b12d3a456426614174000", "g23e4567-e89b-12d3-a456-426614174000"],
    "email": ["a@b", "@b.co", "a@", "a b@c.de", ".a@b.co", "a.@b.co", "a@-b.co", "a@b..co"],
    "hostname": ["-a", "a-", "a..b", ".a", "a.", "a_b", "x" * 64],
    "ipv4": ["256.0.0.0", "1.2.3", "01.2.3.4", "1.2.3.4.5"],
    # The last has eight groups, and a '::' that would stand for none.
    "ipv6": [":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "::1.2.3.256", "1:2:3:4:5:6:7::8"],
    "uri": ["a b:c", "/path", "http://a b", "http://%zz", "", "1a:b"],
}
CHECKS = {
    "date": datetime.date.fromisoformat,
    "time": datetime.time.fromisoformat,
    "date-time": datetime.datetime.fromisoformat,
    "uuid": uuid.UUID,
    "email": lambda text: re.fullmatch(r"[^@\s]{1,64}@[^@\s]{3,255}", text).group(),
    "hostname": lambda text: text.encode("idna"),
    "ipv4": ipaddress.IPv4Address,
    "ipv6": ipaddress.IPv6Address,
    "uri": lambda text: urllib.parse.urlsplit(text).scheme[0],
}


def automaton_of(name):
    return compile_schema({"type": "string", "format": name}).automaton()


@pytest.mark.parametrize("name", YES)
def test_valid_texts_come_through_and_others_do_not(name):
    automaton = automaton_of(name)
    assert [text for text in YES[name] if not automaton.matches(f'"{text}"')] == []
    assert [text for text in NO[name] if automaton.matches(f'"{text}"')] == []


@pytest.mark.parametrize("name", CHECKS)
def test_all_that_comes_through_satisfies_another_reader(name):
    automaton = automaton_of(name)
    for seed in range(200):
        CHECKS[name](json.loads(sample(automaton, seed)))


def test_every_day_of_four_centuries_comes_through():
    automaton = automaton_of("date")
    day = datetime.date(1999, 1, 1)
    for count in range(0, 366 * 400, 3):
        assert automaton.matches(f'"{(day + datetime.timedelta(count)).isoformat()}"')


def test_a_format_and_a_length_hold_together():
    automaton = compile_schema({"type": "string", "format": "email", "maxLength": 8}).automaton()
    assert automaton.matches('"a@bc.de"')
    assert not automaton.matches('"abc@bc.de"')


def test_an_unknown_format_is_refused_not_ignored():
    with pytest.raises(SchemaError) as error:
        compile_schema({"properties": {"c": {"type": "string", "format": "colour"}}})
    assert error.value.where == "/properties/c/format"
    assert "date-time" in error.value.remedy
