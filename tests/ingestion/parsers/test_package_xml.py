"""Parts of office packages: what they refer to, and what damage is called in every format alike."""

import io
import zipfile

import pytest

from ingestion.documents import FailureReason
from ingestion.errors import ParseFailure
from ingestion.parsers.archive import Archive, open_archive
from ingestion.parsers.package_xml import Relation, first_of, relations, root_of

LISTING = """<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="r1" Type="http://x/styles" Target="styles.xml"/>
<Relationship Id="r2" Type="http://x/comments" Target="/word\\comments.xml"/>
<Relationship Id="r3" Type="http://x/comments" Target="../missing.xml"/>
<Relationship Id="r4" Type="http://x/hyperlink" Target="styles.xml" TargetMode="External"/>
</Relationships>"""


def package(**parts: str) -> Archive:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return open_archive(stream.getvalue())


def test_relations_lead_to_existing_parts_of_the_package_only() -> None:
    parts = {
        "word/document.xml": "<a/>",
        "word/_rels/document.xml.rels": LISTING,
        "word/styles.xml": "<a/>",
        "word/comments.xml": "<a/>",
    }
    found = relations(package(**parts), "word/document.xml")
    assert found == [
        Relation("r1", "styles", "word/styles.xml"),
        Relation("r2", "comments", "word/comments.xml"),
    ]
    assert first_of(found, "comments") == "word/comments.xml"
    assert first_of(found, "theme") == ""
    assert relations(package(**parts), "word/styles.xml") == []


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        ("<broken", FailureReason.CORRUPT),
        ("", FailureReason.CORRUPT),
        ("<a>" * 500 + "</a>" * 500, FailureReason.TOO_COMPLEX),
        ("<a>" + "x" * 10_500_000 + "</a>", FailureReason.TOO_LARGE),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", FailureReason.UNSAFE),
    ],
)
def test_markup_that_cannot_be_read_is_named_with_its_part(markup: str, reason: FailureReason) -> None:
    with pytest.raises(ParseFailure, match="某部件.xml") as caught:
        root_of(markup.encode(), "某部件.xml")
    assert caught.value.reason is reason
