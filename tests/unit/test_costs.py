"""Money is computed exactly, and rounded only where people read it."""

from decimal import Decimal

import pytest

from agent.costs import Prices, cost_of, shown_cost
from agent.records import Cost, Usage

PRICES = Prices(Decimal("0.25"), Decimal("0.025"), Decimal(2), "USD")


def test_each_kind_of_token_has_its_price():
    usage = Usage(calls=3, prompt_tokens=1_000_000, cached_tokens=400_000, completion_tokens=100_000)

    assert Cost(amount=Decimal("0.15") + Decimal("0.01") + Decimal("0.2"), currency="USD") == cost_of(usage, PRICES)


def test_without_prices_there_is_no_amount():
    assert cost_of(Usage(prompt_tokens=10), None) is None


def test_notes_add_up_to_the_whole_exactly():
    usages = [Usage(prompt_tokens=number, cached_tokens=number // 3, completion_tokens=7) for number in range(1, 99)]
    costs = [cost_of(one, PRICES) for one in usages]

    assert cost_of(sum(usages, start=Usage()), PRICES) == Cost(
        amount=sum((one.amount for one in costs if one), start=Decimal(0)), currency="USD"
    )


def test_an_amount_is_written_as_a_plain_decimal_number():
    cost = cost_of(Usage(prompt_tokens=4), PRICES)

    assert cost is not None
    assert {"amount": "0.000001", "currency": "USD"} == cost.model_dump()
    assert cost == Cost.model_validate_json(cost.model_dump_json())


@pytest.mark.parametrize(
    ("shown", "amount"),
    [
        ("0.0000 USD", "0"),
        ("<0.0001 USD", "0.000001"),
        ("0.0001 USD", "0.00014"),
        ("0.1235 USD", "0.12345678"),
        ("1.23 USD", "1.2349"),
        ("1,234.50 USD", "1234.5"),
    ],
)
def test_an_amount_is_rounded_for_people(shown, amount):
    assert shown == shown_cost(Cost(amount=Decimal(amount), currency="USD"))
