"""Meetings made up for measuring: as long as asked for, all different, in the formats of meeting programs.

The same seed and number give the same bytes. Nobody said any of it; nothing of it is shipped or kept.
"""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

FIRST_DAY = date(2019, 1, 7)
DAYS_BETWEEN = 2
SECONDS_A_CHAR = 0.25  # people speak some four characters a second
FEWEST, MOST = 4, 9  # people of a meeting
TOPICS = (4, 8)

_SURNAMES = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜"
_GIVEN = "建国 晓燕 志强 丽华 文博 思远 雨桐 海峰 婷 磊 静 伟 敏 洋 凯"
_SUBJECTS = {
    "预算编制": "费用总额 差旅支出 部门限额 滚动预测 人均成本 预备金 资本开支 偏差率",
    "渠道政策": "返点 经销商 保证金 窜货 价格体系 账期 区域代理 激励方案",
    "产品发布": "内测版本 缺陷清单 上线窗口 回滚预案 灰度范围 用户手册 验收用例 接口冻结",
    "招聘计划": "编制 校招名额 试用期 面试官 内部推荐 岗位说明 薪酬带宽 流失率",
    "质量改进": "来料检验 返修率 失效分析 抽样方案 供应商整改 批次追溯 工装 首件确认",
    "信息安全": "权限清理 弱口令 备份演练 终端加密 日志留存 外发审批 漏洞修复 应急值守",
    "仓储物流": "库位 周转天数 盘点差异 运输时效 包装破损 安全库存 拣货路径 冷链",
    "客户服务": "首次响应 投诉升级 满意度 知识条目 坐席排班 回访 工单积压 服务等级",
    "研发规划": "算法自研 算力采购 数据标注 专利布局 技术债 原型机 评测集 外包比例",
    "办公搬迁": "工位 机房改造 租约 消防验收 班车路线 家具采购 网络割接 停车位",
}
_SAID = (
    "{a}这一块我先说一下，上个月{a}比{b}高了{n}个点，主要是{c}没有跟上。",
    "我补充一点，{b}不能只看{a}，{c}要一起算进来，不然到季末还是对不上。",
    "{a}的口径要统一，财务那边按{b}统计，业务这边按{c}统计，差了{n}万。",
    "如果{a}先放一放，{b}能不能提前{n}天做完？",
    "我的意见是{a}可以试，但是{b}要有人盯着，出了问题马上停。",
    "去年{a}做过一次，当时卡在{c}，这次先把{b}理清楚。",
    "{b}现在只有{n}个人在跟，{a}再加任务的话肯定做不完。",
    "这个数我不太同意，{a}按{n}算偏高，{b}那边实际没有那么多。",
    "好，{a}就这么定，{c}下周五之前给我一版。",
    "{c}谁来牵头？我建议还是由做{a}的同事来，情况他们最熟。",
)
_SHORT = "对。 可以。 我没有意见。 这个我回去确认一下。 嗯，继续说。 明白。 数字发群里吧。"
_OPENING = ("我们先看{s}。", "下一个议题，{s}。", "接下来说{s}。", "第{k}个事情，{s}。", "{s}这块谁来讲？")
_CLOSING = ("这个就先说到这。", "好，这个过。", "那{s}就按刚才说的办。")


@dataclass(frozen=True, slots=True)
class Spoken:
    speaker: str
    second: int
    text: str


def made_up(seed: int, number: int, chars: int) -> tuple[str, bytes]:
    """A file's name and bytes; what is said has about `chars` characters."""
    draw = random.Random(seed * 1_000_003 + number)
    day = FIRST_DAY + timedelta(days=number * DAYS_BETWEEN)
    title = f"{draw.choice(list(_SUBJECTS))}与{draw.choice(list(_SUBJECTS))}例会第{number + 1}次"
    suffix, render = _FORMATS[number % len(_FORMATS)]
    spoken = list(_meeting(draw, chars))
    return f"{day.isoformat()}_{number:05}{suffix}", render(title, day, spoken).encode()


def _meeting(draw: random.Random, chars: int) -> Iterator[Spoken]:
    people = _people(draw)
    subjects = draw.sample(list(_SUBJECTS), draw.randint(*TOPICS))
    said, second = 0, 5
    for place, subject in enumerate(subjects, 1):
        until = chars * place // len(subjects)
        opening = draw.choice(_OPENING).format(s=subject, k="一二三四五六七八"[place - 1])
        turns = [(people[0], opening)]
        while said < until:
            for speaker, text in turns:
                yield Spoken(speaker, second, text)
                said += len(text)
                second += int(len(text) * SECONDS_A_CHAR) + 1
            turns = [(draw.choice(people), _speech(draw, subject))]
        yield Spoken(people[0], second, draw.choice(_CLOSING).format(s=subject))


def _people(draw: random.Random) -> list[str]:
    wanted = draw.randint(FEWEST, MOST)
    surnames = draw.sample(_SURNAMES, wanted)
    return [surname + draw.choice(_GIVEN.split()) for surname in surnames]


def _speech(draw: random.Random, subject: str) -> str:
    if draw.random() < 0.2:
        return draw.choice(_SHORT.split())
    words = _SUBJECTS[subject].split()
    sentences = []
    for _ in range(draw.randint(1, 5)):
        a, b, c = draw.sample(words, 3)
        sentences.append(draw.choice(_SAID).format(a=a, b=b, c=c, n=draw.randint(2, 980)))
    return "".join(sentences)


def _clock(second: int) -> str:
    return f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"


def _wemeet(title: str, day: date, spoken: Sequence[Spoken]) -> str:
    head = f"会议主题：{title}\n会议时间：{day.isoformat()}\n\n"
    return head + "\n".join(f"{each.speaker}({_clock(each.second)}): {each.text}" for each in spoken)


def _brackets(title: str, day: date, spoken: Sequence[Spoken]) -> str:
    head = f"{title}\n日期：{day.isoformat()}\n"
    return head + "\n".join(f"[{_clock(each.second)}] {each.speaker}：{each.text}" for each in spoken)


def _plain(title: str, day: date, spoken: Sequence[Spoken]) -> str:
    head = f"{title}\r\n时间：{day.year}年{day.month}月{day.day}日\r\n"
    return head + "\r\n".join(f"{each.speaker}：{each.text}" for each in spoken)


def _markdown(title: str, day: date, spoken: Sequence[Spoken]) -> str:
    head = f"# {title}\n\n日期：{day.isoformat()}\n\n"
    return head + "\n\n".join(f"**{each.speaker}**：{each.text}" for each in spoken)


def _vtt(_title: str, _day: date, spoken: Sequence[Spoken]) -> str:
    return "WEBVTT\n\n" + "\n\n".join(
        f"{_clock(each.second)}.000 --> {_clock(each.second + 3)}.000\n<v {each.speaker}>{each.text}</v>"
        for each in spoken
    )


def _srt(_title: str, _day: date, spoken: Sequence[Spoken]) -> str:
    return "\n\n".join(
        f"{n}\n{_clock(each.second)},000 --> {_clock(each.second + 3)},000\n{each.speaker}：{each.text}"
        for n, each in enumerate(spoken, 1)
    )


def _json(title: str, _day: date, spoken: Sequence[Spoken]) -> str:
    said = [{"speaker": each.speaker, "start": each.second, "text": each.text} for each in spoken]
    return json.dumps({"title": title, "utterances": said}, ensure_ascii=False)


_FORMATS: tuple[tuple[str, Callable[[str, date, Sequence[Spoken]], str]], ...] = (
    (".txt", _wemeet),
    (".txt", _brackets),
    (".txt", _plain),
    (".md", _markdown),
    (".vtt", _vtt),
    (".srt", _srt),
    (".json", _json),
)
