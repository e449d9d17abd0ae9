"""The sheets of a workbook: opening the file, finding columns, reading rows; and a starter to write over.

All reading and writing of workbook files is here.
"""
