# The image of every service and of the operator's tools. The container's command selects the program.
#
#   docker build -t carillon .
#   docker run --rm carillon gateway --help
#   docker build -t carillon-speech --target speech .      adds the transcription engine and its model
#
# The image contains one file with all programs (107 MB), libraries of Debian (29 MB), and busybox (2 MB), with which an
# operator can inspect a container. `docker history carillon` shows these sizes. Swift's runtime and Foundation with its
# language tables take 60 MB of the 107 MB. A separate file for each program would take 77 MB per program. The engine
# takes 77 MB, and the engine's libraries and model take another 75 MB.
#
# SWIFT_IMAGE is an image with Swift 6.2 or later. It must have the same Debian release as
# DEBIAN_IMAGE.

ARG SWIFT_IMAGE=swift:6.3-bookworm
ARG DEBIAN_IMAGE=debian:bookworm-slim

FROM ${SWIFT_IMAGE} AS build

RUN apt-get update -q \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
      libopus-dev libpocketsphinx-dev libpq-dev libprotobuf-c-dev libsodium-dev libspeexdsp-dev libsqlite3-dev \
      libssl-dev libvpx-dev libzmq3-dev pkg-config zlib1g-dev \
 && rm -rf /var/lib/apt/lists/*

WORKDIR /src
COPY Package.swift Package.resolved* ./
RUN swift package resolve

COPY Shared Shared
COPY Services Services
COPY Tools Tools
COPY Clients/Swift Clients/Swift
COPY deploy/AllPrograms deploy/AllPrograms
COPY Tests Tests
# This build links the Swift runtime into the programs, so the images need no toolchain.
ARG JOBS=2
RUN set -e; \
    build() { swift build --configuration release --static-swift-stdlib --jobs "$JOBS" "$@"; }; \
    build --product carillon-all; \
    build --product carillon-pocketsphinx; \
    cd "$(build --show-bin-path)"; \
    install -D --strip --target-directory /out/bin carillon-all; \
    install -D --strip --target-directory /out/speech carillon-pocketsphinx

# Collects the files of the images. /images/base gets the programs and the libraries that they load,
# and nothing else of Debian. /images/speech gets the additional files of the engine.
FROM ${DEBIAN_IMAGE} AS libraries

RUN apt-get update -q \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
      busybox-static ca-certificates libcurl4 libopus0 libpocketsphinx3 libpq5 libprotobuf-c1 libsodium23 libspeexdsp1 \
      libsqlite3-0 libssl3 libstdc++6 libvpx7 libzmq5 pocketsphinx-en-us zlib1g \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /out/ /programs/
ARG PROGRAMS="carillon gateway media messaging presence transcription video-tiles"
RUN set -e; \
    load() { ldd "$1" | sed -nE 's/.*[[:space:]](\/[^ ]+) \(0x.*/\1/p'; }; \
    base=/images/base speech=/images/speech; \
    mkdir -p $base/bin $base/usr/local/bin $base/etc/ssl/certs $speech/usr/local/bin $speech/usr/share; \
    cp /programs/bin/carillon-all $base/usr/local/bin/; \
    for program in $PROGRAMS; do ln -s carillon-all "$base/usr/local/bin/$program"; done; \
    cp --parents --dereference $(load /programs/bin/carillon-all) $base/; \
    cp /bin/busybox $base/bin/; \
    for name in cat df id ls mkdir ps sh sleep tail; do ln -s busybox "$base/bin/$name"; done; \
    cp --dereference /etc/ssl/certs/ca-certificates.crt $base/etc/ssl/certs/; \
    echo "root:x:0:0:root:/:/bin/sh" >$base/etc/passwd; \
    echo "carillon:x:10001:10001::/var/lib/carillon:/bin/sh" >>$base/etc/passwd; \
    printf 'root:x:0:\ncarillon:x:10001:\n' >$base/etc/group; \
    cp /programs/speech/carillon-pocketsphinx $speech/usr/local/bin/; \
    for library in $(load /programs/speech/carillon-pocketsphinx); do \
      [ -e "$base$library" ] || cp --parents --dereference "$library" $speech/; \
    done; \
    cp -r /usr/share/pocketsphinx $speech/usr/share/

FROM scratch AS base

COPY --from=libraries /images/base/ /
COPY Clients/Web /usr/local/share/carillon/web
# This step fails if a library is missing. A new volume that Docker mounts on run/carillon or
# var/lib/carillon gets the directory's owner and mode.
ARG PROGRAMS="carillon gateway media messaging presence transcription video-tiles"
RUN ["/bin/busybox", "sh", "-ec", "\
    for program in $PROGRAMS; do $program --version; done; \
    cd /; busybox mkdir -p -m 1777 tmp; busybox mkdir -p var/lib run; \
    busybox mkdir -m 0700 run/carillon var/lib/carillon; busybox chown 10001:10001 run/carillon var/lib/carillon"]

# With this setting, a service on a read-only root file system does not search for another directory.
ENV CARILLON_RUNTIME_DIR=/run/carillon CARILLON_DATA_DIR=/var/lib/carillon
USER carillon
WORKDIR /var/lib/carillon
STOPSIGNAL SIGTERM
# `carillon health` reads CARILLON_INSTANCE like the services, so each container asks about its own
# instance.
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s --retries=3 CMD ["carillon", "health"]
CMD ["carillon", "--help"]

FROM base AS speech

COPY --from=libraries /images/speech/ /
RUN ["carillon-pocketsphinx", "--version"]
CMD ["carillon-pocketsphinx"]

# Docker builds this stage if the command names no target.
FROM base
