"""Who may see an application: its applicant, who has decided or is to decide a step of it, administrators."""

from service.access import Principal, Role
from service.process.status.applications import Application, Outcome
from service.process.status.people import People

_DECIDING = frozenset({Outcome.APPROVED, Outcome.REJECTED, Outcome.RETURNED, Outcome.TRANSFERRED})


def may_see(principal: Principal, application: Application, people: People) -> bool:
    if principal.allows(Role.ADMIN):
        return True
    person = people.person_of(principal)
    return bool(person) and (person == application.applicant.id or person in approvers_ever(application))


def approvers_ever(application: Application) -> frozenset[str]:
    """Ids of who is to decide it now or once did. Who handed it in, got a copy or said something did not."""
    past = (step.person for step in application.timeline if step.outcome in _DECIDING)
    return frozenset(each.id for each in (*application.approvers, *past) if each is not None and each.id)
