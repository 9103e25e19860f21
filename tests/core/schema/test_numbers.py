"""Numbers between bounds and in steps: compared with arithmetic on every number near by."""

import json
from decimal import Decimal

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from tokcore.schema import json_schema_to_regex
from tokcore.schema.errors import SchemaError
from tokcore.schema.expr import spelled
from tokcore.schema.numbers import between, has_room, integers, multiples

bounds = st.none() | st.integers(-1300, 1300) | st.sampled_from([0, 1, -1, 9, 10, 99, 100, 999, 1000])
decimals = st.decimals(-130, 130, places=2) | st.sampled_from(
    list(map(Decimal, ("0", "1", "-1", "0.05", "10", "99.9")))
)


@given(bounds, bounds)
def test_integers_between_bounds_are_exactly_those(low, high):
    engine = regex.compile(spelled(integers(low, high)))
    for number in range(-1500, 1501):
        inside = (low is None or number >= low) and (high is None or number <= high)
        assert (engine.fullmatch(str(number)) is not None) == inside, number
    assert engine.fullmatch("007") is None


@given(st.integers(-(10**40), 10**40), st.integers(0, 10**12), st.integers(-(10**12), 10**12))
def test_long_bounds_are_exact_at_their_ends(low, width, off):
    engine = regex.compile(spelled(integers(low, low + width)))
    for number in (low - 1, low, low + width, low + width + 1, low + off):
        assert (engine.fullmatch(str(number)) is not None) == (low <= number <= low + width)


@settings(max_examples=300, deadline=None)
@given(
    st.none() | decimals, st.none() | decimals, st.booleans(), st.booleans(), st.lists(decimals, min_size=1), st.data()
)
def test_decimals_between_bounds_are_exactly_those(low, high, above, below, numbers, data):
    above, below = above and low is not None, below and high is not None
    engine = regex.compile(spelled(between(low, high, above_low=above, below_high=below)))
    near = [
        each + step for each in (low, high) if each is not None for step in (0, Decimal("0.001"), Decimal("-0.001"))
    ]
    for number in (*numbers, *near):
        zeros = data.draw(st.sampled_from(["", "0", "00"]))
        text = f"{number:f}"
        text = text + zeros if "." in text else text + (f".{zeros}" if zeros else "")
        over = low is None or number > low or (number == low and not above)
        under = high is None or number < high or (number == high and not below)
        assert (engine.fullmatch(text) is not None) == (over and under), text
    assert not any(map(engine.fullmatch, ("1.", ".5", "01", "+1", "1e1", "")))


@given(st.floats(-1e6, 1e6).map(lambda each: round(each, 3)), st.integers(1, 30), st.sampled_from("09"))
def test_no_double_is_rounded_onto_a_bound_that_is_left_out(bound, zeros, digit):
    engine = regex.compile(json_schema_to_regex({"type": "number", "exclusiveMinimum": bound}))
    text = f"{Decimal(str(bound)):f}"
    text += ("" if "." in text else ".") + digit * zeros + "1"
    if engine.fullmatch(text):
        assert json.loads(text) > bound


@pytest.mark.parametrize(
    "step", ["2", "3", "5", "10", "25", "100", "0.5", "0.25", "0.1", "0.01", "2.5", "1", "1.0", "1e1"]
)
def test_multiples_are_exactly_those(step):
    engine = regex.compile(spelled(multiples(Decimal(step))))
    places = max(-Decimal(step).normalize().as_tuple().exponent, 0)
    for scaled in range(-30_000, 30_001, 7 if places else 1):
        number = Decimal(scaled).scaleb(-places)
        assert (engine.fullmatch(f"{number:f}") is not None) == (number % Decimal(step) == 0), number


def test_multiples_without_a_short_pattern_are_refused_unless_there_are_few_of_them():
    with pytest.raises(SchemaError) as error:
        json_schema_to_regex({"type": "integer", "multipleOf": 7})
    assert error.value.where == "/multipleOf"
    found = regex.compile(json_schema_to_regex({"type": "integer", "multipleOf": 7, "minimum": -7, "maximum": 700}))
    assert [n for n in range(-2000, 2000) if found.fullmatch(str(n))] == list(range(-7, 701, 7))


def test_bounds_and_steps_hold_together():
    schema = {"type": "number", "multipleOf": 0.05, "minimum": 0.1, "exclusiveMaximum": 2}
    found = regex.compile(json_schema_to_regex(schema))
    yes = [n for n in range(-50, 300) if found.fullmatch(f"{Decimal(n) / 100:f}")]
    assert yes == list(range(10, 200, 5))


@pytest.mark.parametrize(
    ("schema", "yes", "no"),
    [
        ({"type": "integer", "exclusiveMinimum": 0}, ["1"], ["0", "-0", "-1"]),
        ({"type": "integer", "minimum": 0.5, "maximum": 2.5}, ["1", "2"], ["0", "3"]),
        ({"type": "integer", "minimum": 3, "exclusiveMinimum": 1}, ["3"], ["2"]),
        ({"type": "integer", "format": "int32"}, ["2147483647", "-2147483648"], ["2147483648", "-2147483649"]),
        ({"type": "number", "minimum": 0}, ["0", "-0.0", "12.5"], ["-0.1", "1e3"]),
        ({"type": "number", "maximum": -0.5}, ["-0.5", "-0.50", "-7"], ["-0.4", "0", "-0.49"]),
        ({"type": "number", "format": "double"}, ["1e5"], ["x"]),
        ({"minimum": 5}, ["5", "7.5"], ["4", '"a"']),
    ],
)
def test_bounds(schema, yes, no):
    found = regex.compile(json_schema_to_regex(schema))
    assert all(map(found.fullmatch, yes))
    assert not any(map(found.fullmatch, no))


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"type": "number", "exclusiveMinimum": True}, "/exclusiveMinimum"),
        ({"type": "number", "minimum": "1"}, "/minimum"),
        ({"type": "number", "multipleOf": 0}, "/multipleOf"),
        ({"type": "number", "exclusiveMaximum": 0.30000000000000004}, "/exclusiveMaximum"),
        ({"type": "number", "maximum": 1e300}, "/maximum"),
        ({"type": "number", "maximum": float("inf")}, "/maximum"),
    ],
)
def test_malformed_and_unusable_bounds_are_named(schema, pointer):
    with pytest.raises(SchemaError) as error:
        json_schema_to_regex(schema)
    assert error.value.where == pointer


@pytest.mark.parametrize(
    ("number", "expected"), [("0.1", True), ("0.1234567890123456", False), ("123456789012345.5", False)]
)
def test_room_next_to_a_bound(number, expected):
    assert has_room(Decimal(number)) is expected
