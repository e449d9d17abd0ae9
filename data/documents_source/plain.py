"""Writes a source as txt, md, csv or html."""

import csv
import io
from html import escape

from .outline import Heading, Source, Table

_PAGE = """<!DOCTYPE html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<title>{title} - 远山科技员工门户</title>
<style>body {{ font-family: sans-serif }} .crumbs {{ color: #888 }}</style>
<script>window.portal = {{ page: "faq", tracking: false }};</script>
</head>
<body>
<header><a href="/">远山科技员工门户</a></header>
<nav><ul><li><a href="/news">公司新闻</a></li><li><a href="/oa">办公系统</a></li>\
<li><a href="/faq">常见问题</a></li><li><a href="/training">培训中心</a></li></ul></nav>
<aside><h2>热门公告</h2><p>秋季运动会报名将于本周五截止。</p><p>B座电梯本周六检修。</p></aside>
<main>
<h1>{title}</h1>
{body}
</main>
<footer><p>版权所有 远山科技有限公司　技术支持：信息技术部　本页访问 12,846 次</p></footer>
</body>
</html>
"""


def write_text(source: Source) -> bytes:
    """Title, then headings and paragraphs as lines, in the encoding that the front matter names."""
    lines = [source.title, source.meta.get("number", ""), ""]
    for piece in source.pieces:
        if isinstance(piece, Table):
            raise TypeError(f"{source.path.name}: a table has no plain text form")
        lines += ["", piece.text] if isinstance(piece, Heading) else [piece.text]
    return ("\r\n".join(lines) + "\r\n").encode(source.meta["encoding"])


def write_markdown(source: Source) -> bytes:
    """The body as it stands, one heading level down, under the title."""
    body = source.path.read_text(encoding="utf-8").split("---\n", 2)[2]
    lowered = ["#" + line if line.startswith("#") else line for line in body.strip().splitlines()]
    return ("\n".join([f"# {source.title}", "", *lowered]) + "\n").encode()


def write_csv(source: Source) -> bytes:
    """The tables' rows in UTF-8 with a byte order mark, as Excel saves them."""
    out = io.StringIO(newline="")
    for piece in source.pieces:
        if isinstance(piece, Table):
            csv.writer(out).writerows(piece.rows)
    return out.getvalue().encode("utf-8-sig")


def write_html(source: Source) -> bytes:
    """A portal page: the text in `main`, navigation, notices and footer around it."""
    parts = []
    for piece in source.pieces:
        if isinstance(piece, Table):
            raise TypeError(f"{source.path.name}: a table has no page form")
        tag = f"h{piece.level + 1}" if isinstance(piece, Heading) else "p"
        parts.append(f"<{tag}>{escape(piece.text)}</{tag}>")
    return _PAGE.format(title=escape(source.title), body="\n".join(parts)).encode()
