"""What the operating system refuses, in words that a user can act on."""

import errno

_WORDS = {
    errno.ENOENT: "文件不在那里了，可能已被移走或删除",
    errno.EACCES: "没有权限",
    errno.EPERM: "没有权限",
    errno.ENOSPC: "磁盘已满",
    errno.EDQUOT: "磁盘配额已用完",
    errno.EROFS: "磁盘是只读的",
    errno.EIO: "磁盘读写出错",
    errno.ESTALE: "网络盘上的文件已失效，请重新连接网络盘",
    errno.ENOTDIR: "路径中有一段不是文件夹",
    errno.EISDIR: "这是文件夹，不是文件",
    errno.ELOOP: "链接互相指向，没有尽头",
    errno.ENAMETOOLONG: "文件名太长",
    errno.EMFILE: "同时打开的文件太多",
    errno.ENFILE: "同时打开的文件太多",
    errno.EBUSY: "文件正被占用",
}


def told(error: OSError) -> str:
    """The reason alone, without the file's name; the system's own words where there are no better ones."""
    return _WORDS.get(error.errno or 0) or error.strerror or str(error)
