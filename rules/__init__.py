"""Decision tables: loading, checking and exact evaluation. Pure; files are read and written in `sheets`.

`sheets` opens a workbook and reads its rows, `cells` says what a cell means, `checking` looks for what is
wrong with the whole, and `mentions` reads values from what people say.
"""
