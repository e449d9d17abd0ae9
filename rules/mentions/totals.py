"""What so many at a price come to: 三台每台八千. Only when both are said exactly and go together."""

from dataclasses import dataclass
from decimal import Decimal

from rules.mentions.amounts import Amount, Op, read_amounts
from rules.mentions.quantities import Quantity, read_quantities


@dataclass(frozen=True, slots=True)
class Total:
    """`value` is the price times the count, in the price's currency."""

    value: Decimal
    price: Amount
    quantity: Quantity


def read_total(text: str, *, bare: bool = False) -> Total | None:
    """The total of a sentence with one unit price and one count; None if one is missing, inexact or doubled.

    A sum that the sentence gives beside the price (合计两万四) must be that total.
    """
    amounts = read_amounts(text, bare=bare)
    prices = [amount for amount in amounts if amount.per is not None]
    if len(prices) != 1 or prices[0].op is not Op.EXACT or prices[0].value is None:
        return None
    price = prices[0]
    quantities = [found for found in read_quantities(text) if _counts(text, found, price)]
    if len(quantities) != 1 or not quantities[0].count:
        return None
    value = prices[0].value * quantities[0].count
    others = [amount for amount in amounts if amount is not price]
    if any((other.op, other.value, other.currency) != (Op.EXACT, value, price.currency) for other in others):
        return None
    return Total(value, price, quantities[0])


def _counts(text: str, found: Quantity, price: Amount) -> bool:
    """Whether it is how many are bought: of the price's measure, and not the 一台 that is its part."""
    if price.per and found.measure.removeprefix("个") != price.per.removeprefix("个"):
        return False
    apart = found.start < price.start or text[price.end : found.start].strip() != ""
    return apart and not (price.per and found.count == 1) and not price.start <= found.start < price.end
