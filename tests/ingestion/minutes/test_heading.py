"""Title, day and attendees come from the first lines or the file's name."""

from datetime import date

import pytest

from ingestion.minutes.heading import read_heading
from ingestion.minutes.lines import split

DAY = date(2026, 3, 5)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("定价会\n时间：2026年3月5日 14:00\n2025年1月1日的旧事", "a.txt"),
        ("定价会 2026-03-05", "2025-01-01.txt"),
        ("张总：开始", "20260305定价会.txt"),
        ("张总：开始", "定价会_2026_03_05.txt"),
        ("会议主题：定价\n会议时间：2026/03/05 14:00-15:00", ""),
        ("定价会\n二〇二六年三月五日", ""),
        ("周婷 2026-03-05 14:02:11\n早", "聊天.txt"),
    ],
)
def test_the_day_is_found(text: str, name: str) -> None:
    assert read_heading(split(text).lines, name).day == DAY


def test_a_day_somebody_speaks_of_is_not_the_meetings() -> None:
    assert read_heading(split("定价会\n张总：2025年1月1日起涨价").lines, "会.txt").day is None


def test_a_day_that_does_not_exist_is_none() -> None:
    assert read_heading(split("定价会 2026年2月30日").lines, "会.txt").day is None


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("三季度定价会\n张总：开始", "三季度定价会"),
        ("会议主题：定价\n张总：开始", "定价"),
        ("张总：开始\n李四：好", "周会0305"),
        ("我们今天主要说三件事，先说预算。", "周会0305"),
        ("", "周会0305"),
    ],
)
def test_the_title_is_the_first_line_that_is_one_or_the_name(text: str, title: str) -> None:
    assert read_heading(split(text).lines, "archive/周会0305.txt").title == title


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("参会人：张建国、李四、王敏（财务）", ("张建国", "李四", "王敏")),
        ("与会人员: 张总 李经理 欧阳锋", ("张总", "李经理", "欧阳锋")),
        ("出席：张建国，李四等5人", ("张建国", "李四")),
        ("参会人员(Attendance)\n张建国\n李四\n\n议题：定价", ("张建国", "李四")),
        ("Attendees: Grace Lee, Tom Baker", ("Grace Lee", "Tom Baker")),
        ("Participants 与会人：张建国、某公司-李四，王敏", ("张建国", "李四", "王敏")),
        ("主要参会人员\n张建国，Samuel，李四，润和\n正文到此为止。", ("张建国", "Samuel", "李四", "润和")),
        ("出席情况良好", ()),
        ("参会人员\n张建国\n李四：江总来了", ("张建国",)),
    ],
)
def test_attendees_are_read_from_their_line(line: str, names: tuple[str, ...]) -> None:
    assert read_heading(split(f"定价会\n{line}").lines, "").attendees == names


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("2025-06-05_灵犀项目周会.vtt", "灵犀项目周会"),
        ("20250605灵犀项目周会.vtt", "灵犀项目周会"),
        ("2025年6月5日 灵犀项目周会.vtt", "灵犀项目周会"),
        ("2025-06-05.vtt", "2025-06-05"),
        ("20250605_1.vtt", "20250605_1"),
        ("灵犀2025-06-05周会.vtt", "灵犀2025-06-05周会"),
    ],
)
def test_a_title_from_the_files_name_leaves_out_the_day_in_front(name: str, title: str) -> None:
    heading = read_heading([], name)
    assert heading.title == title
    assert heading.day == date(2025, 6, 5)
