# The service as a container: wheels are built in one stage, only they are installed in the other.
FROM python:3.11-slim AS build
WORKDIR /build
COPY pyproject.toml README.md LICENSE ./
COPY service ./service
COPY ingestion ./ingestion
COPY rules ./rules
COPY prompts ./prompts
COPY data ./data
RUN pip wheel --no-cache-dir --wheel-dir /wheels ".[postgres]"

FROM python:3.11-slim
RUN useradd --system --uid 10001 --create-home zhixing \
    && install --directory --owner zhixing --mode 700 /var/lib/zhixing
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links /wheels "zhixing[postgres]"

# A container is reached from outside, so it never serves without keys.
ENV ZHIXING_HOME=/var/lib/zhixing \
    ZHIXING_HOST=0.0.0.0 \
    ZHIXING_PORT=8000 \
    ZHIXING_AUTH=keys \
    ZHIXING_LOG_FORMAT=json \
    OMP_NUM_THREADS=1 \
    PYTHONUNBUFFERED=1
USER zhixing
WORKDIR /var/lib/zhixing
VOLUME /var/lib/zhixing
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=90s --retries=3 CMD ["python", "-c", \
    "import os, urllib.request as web; web.urlopen(f'http://127.0.0.1:{os.environ[\"ZHIXING_PORT\"]}/healthz', timeout=4)"]
CMD ["zhixing", "serve"]
