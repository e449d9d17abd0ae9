"""The sample's applications agree with the sample company, its processes and its calendar."""

import csv
from datetime import date
from pathlib import Path

import pytest
from pydantic import SecretStr

from rules.loader import load
from rules.table import Process
from service.access import LOCAL
from service.config import ASSETS, Settings
from service.process.status.applications import Application, Outcome, Status
from service.process.status.desk import StatusDesk
from service.process.status.file_connector import FileConnector
from service.process.status.moments import CHINA, zone_of
from service.process.status.people import load_people
from service.process.status.source import load_words
from service.process.status.telling import Teller
from service.process.status.workdays import load_workdays
from service.samples import with_samples

REPOSITORY = Path(__file__).resolve().parent.parent
DATA = REPOSITORY / "data" / "status"
TODAY = date(2026, 11, 16)  # of the story in data/company.md
DAYS = load_workdays(DATA / "workdays.csv")
CONNECTOR = FileConnector(DATA / "applications.csv", load_words(DATA / "words.toml"), zone_of(CHINA))
ROWS = list(csv.DictReader((DATA / "applications.csv").read_text(encoding="utf-8").splitlines()))
IDS = list(dict.fromkeys(row["申请编号"] for row in ROWS))


def processes() -> dict[str, Process]:
    loaded = [load(path).process for path in sorted((REPOSITORY / "data" / "processes").glob("*.xlsx"))]
    return {process.id: process for process in loaded if process is not None}


PROCESSES = processes()


def application(id: str) -> Application:
    found = CONNECTOR.by_id(id)
    assert found is not None
    return found


def test_there_are_enough_of_every_process_and_status() -> None:
    found = [application(id) for id in IDS]
    assert len(found) >= 20
    assert {each.process_id for each in found} == set(PROCESSES)
    assert {each.status for each in found} == set(Status) - {Status.UNKNOWN}
    assert Outcome.OTHER not in {step.outcome for each in found for step in each.timeline}


@pytest.mark.parametrize("id", IDS)
def test_application_follows_its_process(id: str) -> None:
    found = application(id)
    process = PROCESSES[found.process_id]
    assert found.process == process.name
    nodes = [node.name for node in process.nodes]
    walked = [step.node for step in found.timeline if step.outcome is Outcome.APPROVED]
    assert [nodes.index(node) for node in walked] == sorted(nodes.index(node) for node in walked)
    if found.status is Status.RUNNING:
        assert found.current_node in nodes
        assert len(found.approvers) == 1
        assert all(nodes.index(node) < nodes.index(found.current_node) for node in walked)


@pytest.mark.parametrize("id", IDS)
def test_everything_happens_in_order_on_working_days_before_today(id: str) -> None:
    moments = [step.at for step in application(id).timeline]
    assert all(moment and DAYS.is_working(moment.date()) and moment.date() <= TODAY for moment in moments)
    assert moments == sorted(moments, key=lambda moment: str(moment))
    assert f"{moments[0]:%Y%m%d}" in id


def test_people_are_those_of_the_company_and_have_one_name_each() -> None:
    people = list(csv.DictReader((DATA / "people.csv").read_text(encoding="utf-8").splitlines()))
    named = {row["人员编号"]: row["姓名"] for row in people}
    (contacts,) = (REPOSITORY / "data" / "documents").glob("部门通讯录*.csv")
    listed = list(csv.DictReader(contacts.read_text(encoding="utf-8-sig").splitlines()))
    boxes = {row["邮箱"].partition("@")[0]: row["姓名"] for row in listed}
    assert named.items() <= boxes.items()
    seen = {(row[f"{who}编号"], row[who]) for row in ROWS for who in ("申请人", "办理人")}
    assert seen <= named.items()


def test_person_at_this_machine_gets_an_answer() -> None:
    desk = StatusDesk(CONNECTOR, load_people(DATA / "people.csv"), Teller(DAYS, "知识库管理员"))
    words = {process.id: [process.name, *process.aliases] for process in PROCESSES.values()}
    answer = desk.answer(LOCAL, "我的差旅报销到账没", words, TODAY)
    assert "CL20261026-04" in [each.id for each in answer.applications]
    answer = desk.answer(LOCAL, "我上周四的用印申请卡在哪了", words, TODAY)
    assert answer.text.startswith("用印申请（YY20261112-03，")
    assert "在「法务审核」环节，等贺文办理" in answer.text


def test_the_samples_bring_their_applications_unless_a_source_is_set(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    shown = with_samples(settings)
    assert shown.status_source is not None
    assert shown.status_source.get_secret_value() == f"file:{DATA / 'applications.csv'}"
    assert shown.status_people == DATA / "people.csv"
    own = settings.model_copy(update={"status_source": SecretStr("sql:sqlite:///own.db")})
    assert with_samples(own).status_source is own.status_source


def test_the_samples_bring_who_speaks_in_the_meetings_unless_a_list_is_set(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    assert with_samples(settings).minutes_people == ASSETS / "data" / "minutes" / "people.csv"
    own = settings.model_copy(update={"minutes_people": tmp_path / "people.csv"})
    assert with_samples(own).minutes_people == tmp_path / "people.csv"
