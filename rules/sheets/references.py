"""Cells that name nodes and materials: 部门初审>资产复核, M01、M02."""

import re
from dataclasses import dataclass
from itertools import chain

from rules.faults import CellFault, bad_cell
from rules.findings import Code
from rules.sheets.registers import Register
from rules.spelling import listed, steps, suggestion

_LISTED = re.compile(r"\s*[、,;]\s*")
_NONE = frozenset({"", "-", "无", "不需要"})


@dataclass(frozen=True, slots=True)
class References:
    node_register: Register
    material_register: Register

    def nodes(self, text: str) -> tuple[str, ...]:
        """Names in their order; an id stands for its name. `text` after NFKC. Raises CellFault."""
        words = [word for step in steps(text) for word in self._parted(step)]
        if not words:
            raise bad_cell(
                text, "没有写办理节点", "请按先后写上节点名称，用 > 连起来，例如：部门初审>最终归档。"
            )
        ids = [self._id(word, self.node_register, Code.UNKNOWN_NODE, "节点") for word in words]
        return tuple(self.node_register.names.get(id_, id_) for id_ in ids)

    def materials(self, text: str) -> tuple[str, ...]:
        """Ids in their order; a name stands for its id. Nothing, 无 or - is no material. Raises CellFault."""
        if text in _NONE:
            return ()
        ids = [self._id(word, self.material_register, Code.UNKNOWN_MATERIAL, "材料") for word in listed(text)]
        return tuple(dict.fromkeys(ids))

    def _parted(self, step: str) -> list[str]:
        """初审、复核 are two nodes, unless one is called so."""
        if self.node_register.resolve(step) is not None:
            return [step]
        return [word for word in _LISTED.split(step) if word]

    def _id(self, word: str, register: Register, code: Code, what: str) -> str:
        found = register.resolve(word)
        if found is not None:
            return found
        if not register.known:
            return word
        known = chain(register.names.values(), register.names)
        mend = f"{suggestion(word, known)}如果是新的{what}，请先加到「{what}」表里。"
        raise CellFault(code, f"「{what}」表里没有「{word}」。", mend, value=word)
