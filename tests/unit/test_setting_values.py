"""What each table takes, and how a value that makes no sense is refused."""

from decimal import Decimal

import pytest
from pydantic import ValidationError

from agent.setting_values import GivenValues, PricesTable, UserFile, WorkspaceFile


def test_a_price_is_the_decimal_number_that_is_written():
    table = PricesTable.model_validate({"input": 0.1, "cached": "0.025", "output": 2, "currency": "CNY"})

    assert (Decimal("0.1"), Decimal("0.025"), Decimal(2), "CNY") == (
        table.input,
        table.cached,
        table.output,
        table.currency,
    )


@pytest.mark.parametrize("price", [-1, True, "much", float("nan"), float("inf"), 10**7, "1e-30", [1], ""])
def test_a_price_that_makes_no_sense_is_refused(price):
    with pytest.raises(ValidationError):
        PricesTable.model_validate({"input": price})


@pytest.mark.parametrize("currency", ["", "  ", "US\nD", "a currency with a long name"])
def test_a_currency_is_a_short_word(currency):
    with pytest.raises(ValidationError):
        PricesTable.model_validate({"currency": currency})


def test_files_hold_a_table_of_prices_and_variables_one_each():
    assert "prices" in WorkspaceFile.model_fields
    assert "prices" in UserFile.model_fields
    assert {"price_input", "price_cached", "price_output", "currency"} <= set(GivenValues.model_fields)
    assert "prices" not in GivenValues.model_fields


def test_a_workspace_chooses_no_engine_key_or_path():
    assert not {"engine", "api_key", "base_url", "state", "cache_dir", "local_model"} & set(WorkspaceFile.model_fields)
