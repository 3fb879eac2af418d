# The image of every service and of the operator's tools: the container's command picks the program.
#
#   docker build -t carillon .
#   docker run --rm carillon gateway --help
#   docker build -t carillon-speech --target speech .      the same with the engine of live transcription and its model
#
# What is in it (docker history carillon), in MB: one file with all programs 107, of which Swift's runtime and Foundation
# with its tables of the world's languages are 60; libraries of Debian 29; busybox 2, for who wants to look around.
# Each program in a file of its own would take 77. The engine takes 77 and its libraries and model 75 more.
#
# SWIFT_IMAGE is a Swift 6.2 or later on the Debian release of DEBIAN_IMAGE.

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
# The Swift runtime is linked into the programs, so that the images need no toolchain.
ARG JOBS=2
RUN set -e; \
    build() { swift build --configuration release --static-swift-stdlib --jobs "$JOBS" "$@"; }; \
    build --product carillon-all; \
    build --product carillon-pocketsphinx; \
    cd "$(build --show-bin-path)"; \
    install -D --strip --target-directory /out/bin carillon-all; \
    install -D --strip --target-directory /out/speech carillon-pocketsphinx

# The programs with the libraries they load, and with nothing else of Debian: /images/base, and what the engine needs
# beside it in /images/speech.
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
# A library that is missing is noticed here. A volume mounted on one of the directories begins with its owner and mode.
ARG PROGRAMS="carillon gateway media messaging presence transcription video-tiles"
RUN ["/bin/busybox", "sh", "-ec", "\
    for program in $PROGRAMS; do $program --version; done; \
    cd /; busybox mkdir -p -m 1777 tmp; busybox mkdir -p var/lib run; \
    busybox mkdir -m 0700 run/carillon var/lib/carillon; busybox chown 10001:10001 run/carillon var/lib/carillon"]

# Named, so that a service whose root file system is read-only looks no further.
ENV CARILLON_RUNTIME_DIR=/run/carillon CARILLON_DATA_DIR=/var/lib/carillon
USER carillon
WORKDIR /var/lib/carillon
STOPSIGNAL SIGTERM
# The services read CARILLON_INSTANCE too, so that each container asks for itself.
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s --retries=3 CMD ["carillon", "health"]
CMD ["carillon", "--help"]

FROM base AS speech

COPY --from=libraries /images/speech/ /
RUN ["carillon-pocketsphinx", "--version"]
CMD ["carillon-pocketsphinx"]

# What is built where no target is named.
FROM base
