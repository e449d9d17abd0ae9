"""What the cells of a workbook say: the grammar of conditions, ranges and values. Pure."""
