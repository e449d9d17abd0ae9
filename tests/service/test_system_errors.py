import errno
import os

import pytest

from service.system_errors import told


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOENT, "文件不在那里了，可能已被移走或删除"),
        (errno.EACCES, "没有权限"),
        (errno.ENOSPC, "磁盘已满"),
    ],
)
def test_what_the_system_refuses_is_told_without_its_own_words(number: int, words: str) -> None:
    assert told(OSError(number, os.strerror(number), "/会议.txt")) == words


def test_a_rare_refusal_keeps_the_words_it_came_with() -> None:
    assert told(OSError(errno.EXDEV, "Invalid cross-device link")) == "Invalid cross-device link"
    assert told(OSError("没有编号的错误")) == "没有编号的错误"
