"""Measure words, and other units that make a number something else than money: 三台, 5天, 8%, 300公里.

Many of these characters also begin a word of their own (台式机, 条件, 家具): then they measure nothing.
"""

import re


def _words(table: str) -> dict[str, str]:
    """Each word with the characters that, when they follow, make it the beginning of another one."""
    pairs = (entry.partition(":") for entry in table.split())
    return {word: after for word, _, after in pairs}


def _pattern(words: dict[str, str]) -> re.Pattern[str]:
    ordered = sorted(words, key=len, reverse=True)
    return re.compile(
        "|".join(re.escape(word) + (f"(?![{words[word]}])" if words[word] else "") for word in ordered)
    )


_COUNTED = _words(
    """
    台:式币湾账 套:餐装路 个:月人 个人:所 部:门分长委署 把:电这那它旧原老服设握 张:工经主处科部 件
    只:要需有能是 辆 本:月周年季次部科公单来 份 箱 批:准复了示文下 架:构子 支:出付持票撑 枚 项:目
    组:织长建成 间:接 盒 包:括含干装销 晚:上饭会点到间餐 条:件款例 根:据本 副:总主处局部经科 双:十方休重
    名:称义单字 位:于置 人:民工员力事均 次:日年月 桶 瓶 罐 袋 卷 捆 颗 粒 朵 棵 头 匹:配 盏 幅:度 扇 艘
    顶:多格 座 栋 层 楼 册 页 字 篇 封:顶 门:禁店诊 家:具电庭 户 场:地景所 道 株 杯 碗 片 人次 人份 批次
    节:约省能日 期:间限 届 代:理 股:东权 票 桌:面椅 端 路:由 点位 个点位 席 车:间辆 对:公方于象接比 排
    枝 串 打:印卡款车的底包折 单:位价独纯据 笔:记 例:如外
    """
)
_OTHER = _words(
    """
    年:度底初终会货 个月 月:底初末 日:常本元圆币 号 天:猫 周:转 个星期 星期 个小时 小时 点 时:候
    分:公管摊期析部局别批行 分钟 秒 季 季度 个季度 世纪 岁 工作日 个工作日 页 楼 室 成:本立为交果功
    折:旧合 % ‰ ％ 个百分点 百分点 个点 倍 度 ℃ ° 米 公里 千米 厘米 毫米 里:面程 英寸 寸 尺:寸
    平:台均时板 平米 平方 方:案面式便法 立方 亩 公顷 克 公斤 千克 斤 吨 磅 升:级 毫升 瓦 千瓦 伏
    安:排全装 兆 比特 像素 行:政吗不了业 列:入 条:件款例 章 款:项 员工 用户 人员 职工 并发 学生 字节
    字符 粉丝 阅读 播放 点击 步 下载 订单 客户 会员 学员 职员 党员 师生 居民 群众 观众 考生 数据 记录
    平方米 立方米 转 毫安 图书 藏书 线:上下 卷 版 级 等:等级于 分之 分贝 流明 级别 回:来去到程 趟 遍 届
    班 路:由 口:径头 核:心销准算对 芯
    """
)
_MEASURE = _pattern(_COUNTED)
_UNIT = _pattern(_COUNTED | _OTHER)
# 4K显示器, 65W的充电器: a resolution and a power. 两块硬盘: 块 measures what is flat or solid.
_DEVICE = re.compile(
    r"的?(?:显示|屏|电视|摄像|投影|分辨|高清|超清|画质|视频|充电|电源|功率|灯|音箱|适配|快充|功放)"
)
_PIECES = re.compile(
    r"块(?:\d+\S{0,2}的?)?(?:移动|固态|机械)?"
    r"(?:硬盘|显卡|屏|显示屏|主板|电池|白板|黑板|展板|电路板|板|牌|地|内存|玻璃|手?表|面板|[A-Za-z])"
)


def measure_at(text: str, start: int) -> str:
    """The measure word that stands at `start` of folded `text`, or nothing."""
    match = _MEASURE.match(text, start)
    return match[0] if match else ""


def unit_at(text: str, start: int) -> str:
    """The measure word or other unit that stands at `start`, which makes the number before it no money."""
    while text[start : start + 1] == " ":
        start += 1
    match = _UNIT.match(text, start) or _PIECES.match(text, start)
    return match[0] if match else ""


def rated_at(text: str, start: int) -> bool:
    """Whether a device stands at `start` that a number ending in k or w describes."""
    return _DEVICE.match(text, start) is not None
