"""An answer of the archive as the events of a chat: what it rests on, its text, a citation for each quote."""

from collections.abc import Mapping

from pydantic import JsonValue, TypeAdapter

from ingestion.documents import Anchor
from service.access import Principal
from service.citations import Citation, citation_json, reference_json, refusal_json
from service.minutes.answers import MinutesAnswer, Quote, Understood
from service.minutes.asking import Minutes
from service.minutes.refusing import SAID, path_of, reference
from service.minutes.sought import MinutesQuestion
from service.streams import DONE, Emit, done

_UNDERSTOOD: TypeAdapter[Understood] = TypeAdapter(Understood)


async def answer_in_chat(
    minutes: Minutes, principal: Principal, question: MinutesQuestion, ids: Mapping[str, str], emit: Emit
) -> None:
    """The events of DESIGN section 7, `done` last. `meta` comes with the answer, whose engine it names."""
    answer = await minutes.ask(principal, question)
    await emit("meta", _meta(answer, ids))
    citations: list[JsonValue] = [citation_json(citation(quote)) for quote in answer.quotes]
    if answer.refusal is not None:
        await emit("refusal", refusal_json(answer.refusal))
    else:
        sources: list[JsonValue] = [reference_json(reference(quote)) for quote in answer.quotes]
        await emit("references", {"references": sources})
        await emit("delta", {"text": answer.text})
        for quote in answer.quotes:
            await emit("citation", citation_json(citation(quote)))
    said = done(ids, answer=answer.text, engine=answer.engine, citations=citations, rerank_failed=False)
    await emit(DONE, said)


def citation(quote: Quote) -> Citation:
    """A quote as chat and console open it: at its place in the meeting's text."""
    return Citation(
        n=quote.n,
        document_id=quote.document_id,
        document_name=quote.meeting,
        revision_id=quote.revision_id,
        revision="",
        effective_from=None,
        effective_to=None,
        status=SAID,
        chunk_id=quote.chunk_id,
        heading_path=path_of(quote),
        anchor=Anchor(quote.char_start, quote.char_end, paragraph=quote.paragraph),
        quote=quote.text,
        char_start=quote.char_start,
        char_end=quote.char_end,
        score=quote.score,
        verified=True,
    )


def _meta(answer: MinutesAnswer, ids: Mapping[str, str]) -> dict[str, JsonValue]:
    return {
        **ids,
        "engine": answer.engine,
        "steps": {"answer": answer.engine},
        "intent": "minutes",
        "question": answer.question,
        "topic": None,
        "as_of": None,
        "cached": False,
        "understood": _UNDERSTOOD.dump_python(answer.understood, mode="json"),
    }
