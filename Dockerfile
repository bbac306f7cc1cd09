# syntax=docker/dockerfile:1

FROM rust:1.95-trixie AS build
WORKDIR /source
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/source/target \
    cargo build --profile dist --locked --package server --bin towers \
    && cp target/dist/towers /usr/local/bin/towers

FROM debian:trixie-slim
# `towers backup` and `towers restore` run PostgreSQL's own programs.
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --create-home --home-dir /data towers
COPY --from=build /usr/local/bin/towers /usr/local/bin/towers
USER 10001
WORKDIR /data
VOLUME /data
ENV TOWERS_LISTEN=0.0.0.0:8080
EXPOSE 8080
# The image has no HTTP client except bash.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /healthz HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
ENTRYPOINT ["towers"]
