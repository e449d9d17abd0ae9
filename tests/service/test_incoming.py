"""Names of uploaded files: without folders and unseen characters, and never empty."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.access import Principal
from service.errors import BadRequest
from service.incoming import LONGEST_NAME, Incoming, upload_name, upload_source


@pytest.mark.parametrize(
    ("offered", "name"),
    [
        ("制度.docx", "制度.docx"),
        ("../../etc/制度.md", "制度.md"),
        ("C:\\文件\\制度.md", "制度.md"),
        ("换\r\n行\x00.md", "换行.md"),
        ("\u202egpj.md", "gpj.md"),
        ("\u200b制\ufeff度.md ", "制度.md"),
        ("cafe\u0301.md", "café.md"),
        ("😀🤖.md", "😀🤖.md"),
        ("=cmd|'C'!A0.csv", "=cmd|'C'!A0.csv"),
        (".md", ".md"),
        ("\ud800a.md", "a.md"),
    ],
)
def test_a_name_is_what_a_person_sees_of_it(offered: str, name: str) -> None:
    assert upload_name(offered) == name


@pytest.mark.parametrize("offered", ["", " ", ".", "..", "....", "a/", "\u200b", "\r\n", "字" * 256])
def test_what_is_no_name_is_refused(offered: str) -> None:
    with pytest.raises(BadRequest, match="文件名"):
        upload_name(offered)


@given(st.text())
def test_every_name_can_be_stored_shown_and_made_an_id_of(offered: str) -> None:
    try:
        name = upload_name(offered)
    except BadRequest:
        return
    assert 0 < len(name) <= LONGEST_NAME
    assert "/" not in name and "\\" not in name and name.strip(".")
    assert not any(unicodedata.category(character) in ("Cc", "Cs") for character in name)
    source = upload_source(Principal("某人"), name)
    assert Incoming(source, name).new_document_id() == Incoming(source, name).new_document_id()
