"""The vocabulary over HTTP: all lists in one answer, each replaced as a whole. For administrators."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Body
from pydantic import BaseModel, ConfigDict, Field

from service.access import Principal
from service.api.access import Administrator, Service
from service.api.routing import Route
from service.bootstrap import Parts
from service.terms.lists import HIGHEST_FREQUENCY, Row, TermList

router = APIRouter(prefix="/api/v1", tags=["terms"], route_class=Route)


class SynonymItem(BaseModel):
    """`lay` is what people say, `standard` what documents say."""

    model_config = ConfigDict(extra="forbid")

    lay: str
    standard: str


class WordItem(BaseModel):
    """Without a frequency the word gets one that keeps it whole."""

    model_config = ConfigDict(extra="forbid")

    word: str
    frequency: int | None = Field(None, ge=1, le=HIGHEST_FREQUENCY)


class CuttingOut(BaseModel):
    """The task that cuts chunks anew; it is told of while it is not done."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    state: str
    total: int
    done: int
    message: str


class TermsOut(BaseModel):
    synonyms: list[SynonymItem]
    dictionary: list[WordItem]
    stopwords: list[str]
    equivalents: list[list[str]]
    suggestions: list[str]
    task: CuttingOut | None


class NearestOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    term: str
    nearness: float


class CandidateOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    word: str
    times: int
    question: str
    nearest: list[NearestOut]


class CandidatesOut(BaseModel):
    items: list[CandidateOut]


Words = Annotated[list[str], Body()]
Groups = Annotated[list[list[str]], Body()]


@router.get("/terms")
def terms(service: Service, principal: Administrator) -> TermsOut:
    """Every list as it stands."""
    return _shown(service, principal)


@router.put("/terms/synonyms")
def put_synonyms(service: Service, principal: Administrator, items: list[SynonymItem]) -> TermsOut:
    """In force for the next question."""
    rows = [(item.lay, item.standard) for item in items]
    return _replaced(service, principal, TermList.SYNONYMS, rows)


@router.put("/terms/dictionary")
def put_dictionary(service: Service, principal: Administrator, items: list[WordItem]) -> TermsOut:
    """In force for the next question; chunks that hold a changed word are cut anew in the background."""
    rows = [(i.word,) if i.frequency is None else (i.word, str(i.frequency)) for i in items]
    return _replaced(service, principal, TermList.DICTIONARY, rows)


@router.put("/terms/stopwords")
def put_stopwords(service: Service, principal: Administrator, items: Words) -> TermsOut:
    """As the dictionary."""
    return _replaced(service, principal, TermList.STOPWORDS, [(word,) for word in items])


@router.put("/terms/equivalents")
def put_equivalents(service: Service, principal: Administrator, items: Groups) -> TermsOut:
    """Which questions are the same question; search is not affected."""
    return _replaced(service, principal, TermList.EQUIVALENTS, [tuple(group) for group in items])


@router.put("/terms/suggestions")
def put_suggestions(service: Service, principal: Administrator, items: Words) -> TermsOut:
    """The questions on the empty chat page, of which the first three are shown."""
    return _replaced(service, principal, TermList.SUGGESTIONS, [(question,) for question in items])


@router.get("/terms/candidates")
def candidates(service: Service, principal: Administrator) -> CandidatesOut:
    """Words of refused questions that no passage holds, with terms of the library that come near them."""
    found = service.candidates.find(principal, service.vocabulary.known_words(principal))
    return CandidatesOut(items=[CandidateOut.model_validate(item) for item in found])


def _replaced(service: Parts, principal: Principal, kind: TermList, rows: Sequence[Row]) -> TermsOut:
    service.vocabulary.replace(principal, kind, rows)
    return _shown(service, principal)


def _shown(service: Parts, principal: Principal) -> TermsOut:
    rows = {kind: service.vocabulary.rows(principal, kind) for kind in TermList}
    task = service.vocabulary.task(principal)
    return TermsOut(
        synonyms=[SynonymItem(lay=row[0], standard=row[-1]) for row in rows[TermList.SYNONYMS]],
        dictionary=[_word(row) for row in rows[TermList.DICTIONARY]],
        stopwords=[row[0] for row in rows[TermList.STOPWORDS]],
        equivalents=[list(row) for row in rows[TermList.EQUIVALENTS]],
        suggestions=[row[0] for row in rows[TermList.SUGGESTIONS]],
        task=CuttingOut.model_validate(task) if task else None,
    )


def _word(row: Row) -> WordItem:
    """Also what somebody has written into the file by hand."""
    frequency = int(row[1]) if row[1:] and row[1].isdecimal() else None
    return WordItem.model_construct(word=row[0], frequency=frequency)
