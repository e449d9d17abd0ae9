"""Values people mention in a sentence: amounts, counts, dates, and what makes them uncertain. Pure."""
