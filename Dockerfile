# One image for every service and for the operator's tools: the container's command picks the program.
#
#   docker build -t carillon .
#   docker run --rm carillon gateway --help
#
# SWIFT_IMAGE is a Swift 6.2 or later on the Debian release of DEBIAN_IMAGE.

ARG SWIFT_IMAGE=swift:6.3-bookworm
ARG DEBIAN_IMAGE=debian:bookworm-slim
ARG PROGRAMS="carillon carillon-pocketsphinx gateway media messaging presence transcription video-tiles"

FROM ${SWIFT_IMAGE} AS build

RUN apt-get update -q \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
      libopus-dev libpocketsphinx-dev libpq-dev libprotobuf-c-dev libsodium-dev libspeexdsp-dev libsqlite3-dev \
      libvpx-dev libzmq3-dev pkg-config \
 && rm -rf /var/lib/apt/lists/*

WORKDIR /src
COPY Package.swift Package.resolved* ./
RUN swift package resolve

COPY Shared Shared
COPY Services Services
COPY Tools Tools
COPY Clients/Swift Clients/Swift
COPY Tests Tests
# The Swift runtime is linked into the programs, so that the second stage needs no toolchain.
ARG JOBS=2
ARG PROGRAMS
RUN set -e; \
    build() { swift build --configuration release --static-swift-stdlib --jobs "$JOBS" "$@"; }; \
    for program in $PROGRAMS; do build --product "$program"; done; \
    cd "$(build --show-bin-path)"; install -D --strip --target-directory /out $PROGRAMS

FROM ${DEBIAN_IMAGE}

RUN apt-get update -q \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
      ca-certificates libcurl4 libopus0 libpocketsphinx3 libpq5 libprotobuf-c1 libsodium23 libspeexdsp1 \
      libsqlite3-0 libstdc++6 libvpx7 libzmq5 pocketsphinx-en-us \
 && rm -rf /var/lib/apt/lists/* \
 && groupadd --gid 10001 carillon \
 && useradd --uid 10001 --gid carillon --no-create-home --home-dir /var/lib/carillon \
      --shell /usr/sbin/nologin carillon \
 && install -d --owner carillon --group carillon --mode 0700 /run/carillon /var/lib/carillon
# A volume mounted on one of these two begins with its owner and mode.

COPY --from=build /out/ /usr/local/bin/
COPY Clients/Web /usr/local/share/carillon/web
# A library that is missing is noticed here.
ARG PROGRAMS
RUN set -e; for program in $PROGRAMS; do "$program" --version; done

# Named, so that a service whose root file system is read-only looks no further.
ENV CARILLON_RUNTIME_DIR=/run/carillon CARILLON_DATA_DIR=/var/lib/carillon
USER carillon
WORKDIR /var/lib/carillon
STOPSIGNAL SIGTERM
# The services read CARILLON_INSTANCE too, so that each container asks for itself.
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s --retries=3 CMD ["carillon", "health"]
CMD ["carillon", "--help"]
