"""How a workbook comes to serve: offered as a draft, tried, published whole or refused with what is wrong.

    checked -> its forms kept -> one transaction in the record -> the library takes it over

A workbook with errors changes nothing: the last good one goes on serving.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from uuid import uuid4

from rules.findings import FindingJson, finding_json
from rules.loader import load
from rules.table import Change, Process
from service.access import Principal, Role
from service.errors import BadRequest, Conflict, Forbidden, NotFound
from service.originals import Originals, sha256
from service.process.checking import LONGEST_ID, Checked, checked
from service.process.library import ProcessLibrary
from service.process.offered import Offered, form_name
from service.storable import storable
from service.store.models import now
from service.store.processes import Draft, ProcessStore, Publication, Source, Template, VersionState


@dataclass(frozen=True, slots=True)
class Published:
    """`changed` is False when the very workbook was published last already; `serving`: it serves today."""

    process_id: str
    digest: str
    version: str
    changed: bool
    serving: bool
    findings: tuple[FindingJson, ...]


@dataclass(frozen=True, slots=True)
class _Form:
    """A form of a workbook; `data` is None where it is among the originals already."""

    template: Template
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class Tried:
    """A draft with its file, and what can be read of it; `process` is None when that is no process."""

    draft: Draft
    workbook: bytes
    process: Process | None


class Publishing:
    """For process administrators: every function raises Forbidden for others."""

    def __init__(self, store: ProcessStore, originals: Originals, library: ProcessLibrary) -> None:
        self._store = store
        self._originals = originals
        self._library = library

    def offer(self, principal: Principal, offered: Offered, process_id: str = "") -> Draft:
        """Keep it as a draft, whatever is wrong with it.

        Raises BadRequest when it is the workbook of another process than `process_id`.
        """
        _check(principal)
        if process_id and len(process_id) > LONGEST_ID:
            raise BadRequest(f"流程编号至多 {LONGEST_ID} 个字")
        found, forms = self._examined(offered)
        if process_id and found.process is not None and found.process.id != process_id:
            raise BadRequest(
                f"这个工作簿的流程编号是「{found.process.id}」，不是「{process_id}」。"
                "请改正编号，或者到那个流程里上传"
            )
        return self._draft(principal, offered, found, forms, process_id, f"upload:{principal.id}")

    def publish_draft(self, principal: Principal, process_id: str, draft_id: str) -> Published:
        """Raises NotFound, and Conflict with the findings when the draft has errors."""
        draft, workbook = self._filed(principal, process_id, draft_id)
        found = checked(workbook, process_id).with_forms([each.name for each in draft.templates])
        forms = [_Form(each) for each in draft.templates]
        return self._publish(principal, draft.file_name, workbook, found, forms, draft.id)

    def publish(self, principal: Principal, offered: Offered) -> Published:
        """At once. Raises Conflict with the findings, and keeps nothing of what it refuses."""
        _check(principal)
        found, forms = self._examined(offered)
        return self._publish(principal, offered.file_name, offered.workbook, found, forms)

    def follow(
        self, principal: Principal, source: str, fingerprint: str, offered: Offered
    ) -> Published | Draft:
        """A followed file that changed: published if it is good, else kept as the draft of its source."""
        _check(principal)
        found, forms = self._examined(offered)
        done: Published | Draft
        if found.ok:
            done = self._publish(principal, offered.file_name, offered.workbook, found, forms)
        else:
            before = "" if found.process else self._store.source(source).process_id
            done = self._draft(principal, offered, found, forms, before, source, alone=True)
        self._store.dealt_with(Source(source, fingerprint, done.process_id), good=found.ok)
        return done

    def withdraw(self, principal: Principal, process_id: str, digest: str) -> None:
        """The version serves no longer; the one published before it does. Raises NotFound."""
        _check(principal)
        self._store.withdraw(principal, process_id, digest)
        self._library.refresh()

    def discard(self, principal: Principal, process_id: str, draft_id: str) -> None:
        """Raises NotFound."""
        draft, _ = self._filed(principal, process_id, draft_id)
        self._store.discard_draft(principal, draft.id)

    def drafts(self, principal: Principal, process_id: str | None = None) -> list[Draft]:
        """Of one process or of all, the newest first."""
        _check(principal)
        return self._store.drafts(process_id)

    def tried(self, principal: Principal, process_id: str, draft_id: str) -> Tried:
        """A draft to try out. Raises NotFound, also for one of another process."""
        draft, workbook = self._filed(principal, process_id, draft_id)
        return Tried(draft, workbook, load(workbook, process_id).process)

    def draft_workbook(self, principal: Principal, process_id: str, draft_id: str) -> bytes:
        """Raises NotFound."""
        return self._filed(principal, process_id, draft_id)[1]

    def _filed(self, principal: Principal, process_id: str, draft_id: str) -> tuple[Draft, bytes]:
        """Raises NotFound, also for the draft of another process."""
        _check(principal)
        draft, workbook = self._store.draft(draft_id)
        if draft.process_id != process_id:
            raise NotFound("没有这份草稿")
        return draft, workbook

    def _examined(self, offered: Offered) -> tuple[Checked, list[_Form]]:
        """What is found, and the forms that its materials name: those offered, else those it had before."""
        found = checked(offered.workbook, offered.stem)
        forms = self._forms(found.process, offered) if found.process is not None else []
        return found.with_forms([each.template.name for each in forms]), forms

    def _forms(self, process: Process, offered: Offered) -> list[_Form]:
        before = {form_name(each.name): each for each in self._before(process.id)}
        found: dict[str, _Form] = {}
        for material in process.materials:
            name = form_name(material.template)
            data = offered.form(name) if name else None
            if data is not None:
                found[name] = _Form(Template(name, sha256(data), len(data)), data)
            elif name in before:
                found[name] = _Form(before[name])
        return list(found.values())

    def _kept(self, forms: Sequence[_Form]) -> tuple[Template, ...]:
        """Before the record names them."""
        for form in forms:
            if form.data is not None:
                self._originals.put(form.data)
        return tuple(form.template for form in forms)

    def _before(self, process_id: str) -> Sequence[Template]:
        """The forms of the version published last."""
        if process_id not in self._library.ids():
            return ()
        published = (
            each for each in self._library.versions(process_id) if each.state is VersionState.PUBLISHED
        )
        last = next(published, None)
        return last.templates if last else ()

    def _draft(
        self,
        principal: Principal,
        offered: Offered,
        found: Checked,
        forms: Sequence[_Form],
        process_id: str,
        source: str,
        *,
        alone: bool = False,
    ) -> Draft:
        process = found.process
        draft = Draft(
            id=str(uuid4()),
            process_id=process_id or (process.id if process else offered.stem)[:LONGEST_ID],
            name=process.name if process else offered.stem,
            version=process.version if process else "",
            digest=process.digest if process else "",
            source=source,
            file_name=storable(offered.file_name),
            templates=self._kept(forms),
            findings=tuple(finding_json(each) for each in found.findings),
            created_at=now(),
            created_by=principal.id,
        )
        self._store.put_draft(principal, draft, offered.workbook, alone=alone)
        return draft

    def _publish(
        self,
        principal: Principal,
        file_name: str,
        workbook: bytes,
        found: Checked,
        forms: Sequence[_Form],
        draft_id: str | None = None,
    ) -> Published:
        process = found.process
        if process is None or not found.ok:
            raise refused(found)
        findings = tuple(finding_json(each) for each in found.findings)
        new = Publication(
            process_id=process.id,
            digest=process.digest,
            name=process.name,
            version=process.version,
            effective_from=process.effective_from,
            effective_to=process.effective_to,
            file_name=storable(file_name),
            workbook=workbook,
            templates=self._kept(forms),
            findings=findings,
        )
        changed = self._store.publish(principal, new, self._untold(process), draft_id)
        self._library.remember(process)
        self._library.refresh()
        serves = self._library.serving(process.id, date.today())
        serving = serves is not None and serves.digest == process.digest
        return Published(process.id, process.digest, process.version, changed, serving, findings)

    def _untold(self, process: Process) -> list[Change]:
        """The lines of its record of changes that no published version of it had."""
        known: set[Change] = set()
        for version in self._library.versions(process.id) if process.id in self._library.ids() else ():
            earlier = self._library.process(version)
            known |= set(earlier.changes) if earlier else set()
        return [change for change in process.changes if change not in known]


def refused(found: Checked) -> Conflict:
    """Nothing was changed; `details.findings` say what is to be mended."""
    first = found.errors[0] if found.errors else None
    where = f"（{first.sheet}{f' 第 {first.row} 行' if first.row else ''}）" if first and first.sheet else ""
    more = f"；共 {len(found.errors)} 处" if len(found.errors) > 1 else ""
    message = f"工作簿有错误，没有发布，原来的版本继续有效：{first.message if first else ''}{where}{more}"
    return Conflict(
        message,
        code="faulty_workbook",
        details={"findings": [finding_json(each) for each in found.findings]},
    )


def _check(principal: Principal) -> None:
    if not principal.allows(Role.PROCESS_ADMIN):
        raise Forbidden(f"此操作需要 {Role.PROCESS_ADMIN.value} 角色")
