#!/usr/bin/env bash
# Feeds bytes made up by libFuzzer to all that reads bytes of others; exits with 1 on a finding.
#
#   Scripts/fuzz.sh [TARGET...]    all of Fuzz/Targets, or those named
#   Scripts/fuzz.sh --build        build them only
#
# All targets together take 270 seconds, however many there are: the targets share that time and the cores. Set
# FUZZ_SECONDS to give each target so many seconds instead.
#
# Inputs to begin with are in Fuzz/Corpus. What leads further stays in .build-fuzz/corpus, for the next run; a finding
# goes to .build-fuzz/findings, is run again by `.build-fuzz/TARGET FILE`, and becomes a test.
# Nothing but the toolchain, protobuf-c, libsodium and OpenSSL is needed: no package, neither HTTP nor storage.
set -euo pipefail
cd "$(dirname "$0")/.."

total_seconds=270
out=.build-fuzz
sanitizers=fuzzer,address
# libFuzzer reports what it found; the Swift runtime's own report would wait for the process to be looked at.
export SWIFT_BACKTRACE=enable=no

# What a target is made of besides its own file; REST's parser has nothing to do with the contract.
sources_of() {
  local wire=("$out"/{MeetingModel,Wire}.o "$out"/c/*.o -lprotobuf-c)
  case $1 in
    srtp) echo Fuzz/Support/FuzzInput.swift "$out"/SRTP.o -lcrypto ;;
    dtls) echo Fuzz/Support/FuzzInput.swift "$out"/{SRTP,WebRTC}.o -lssl -lcrypto ;;
    rtp | rtcp) echo Fuzz/Support/FuzzInput.swift "$out"/{MeetingModel,RTP}.o ;;
    # With the module's sources, because it reaches inside.
    zmtp-curve) echo Fuzz/Support/FuzzInput.swift $(find Shared/ZMTP -name '*.swift' | sort) -lsodium ;;
    zmtp) echo Fuzz/Support/FuzzInput.swift "$out"/ZMTP.o -lsodium ;;
    vp8 | h264) echo Fuzz/Support/FuzzInput{,+Frames}.swift "$out"/{MeetingModel,RTP}.o ;;
    json) echo Fuzz/Support/FuzzInput.swift Services/Gateway/REST/{JSONParser,JSONValue,PercentEncoding}.swift ;;
    authorization)
      echo Fuzz/Support/FuzzInput.swift \
        Shared/Signing/{CredentialScope,SignableRequest,SignatureClaim,SignatureError,SigningTime}.swift ;;
    signaling)
      echo Fuzz/Support/FuzzInput.swift \
        Services/Gateway/Browser/{BrowserAnswer,BrowserEnding,BrowserSubscription,BrowserSignaling}.swift \
        Services/Gateway/Browser/{BrowserJoin,CloseCode,PictureStream,PictureRequest,SignalCodec}.swift "${wire[@]}" ;;
    sdp | stun) echo Fuzz/Support/FuzzInput.swift "$out"/{SRTP,WebRTC}.o -lssl -lcrypto ;;
    allow-list | zap)
      echo Fuzz/Support/FuzzInput.swift \
        Shared/Bus/Cluster/{AllowedKey,AllowList,KeyError,KeyRole,RefusedPeer,ZAPReply,ZAPRequest}.swift \
        "$out"/{MeetingModel,ZeroMQ}.o -lzmq ;;
    event) echo Fuzz/Support/{FuzzInput,RoundTrip}.swift Shared/Bus/Topic.swift "${wire[@]}" ;;
    facade | operator) echo Fuzz/Support/{FuzzInput,RequestReader,RoundTrip}.swift "${wire[@]}" ;;
    *) echo Fuzz/Support/{FuzzInput,RoundTrip}.swift "${wire[@]}" ;;
  esac
}

flags=(
  -swift-version 6 -O -g -wmo -parse-as-library -strict-memory-safety -warnings-as-errors
  -assert-config Debug -sanitize="$sanitizers" -use-ld=lld
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
  -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature NonisolatedNonsendingByDefault
  -I Shared/CArena/include -I Shared/CCarillonWire/include -I Shared/COpenSSL -I Shared/CSodium -I Shared/CZeroMQ -I "$out" -module-cache-path "$out/modules"
)

# A module of the package as one object file.
module() {
  swiftc "${flags[@]}" -module-name "$1" -emit-module -emit-module-path "$out/$1.swiftmodule" \
    -c $(find "Shared/$1" -name '*.swift' | sort) -o "$out/$1.o"
}

build() {
  rm -rf "$out"/*.o "$out"/*.swiftmodule
  mkdir -p "$out/c" "$out/findings"
  local file
  for file in $(find Shared/CArena Shared/CCarillonWire -name '*.c' | sort); do
    clang -O1 -g -fsanitize="${sanitizers/fuzzer/fuzzer-no-link}" \
      -I Shared/CArena/include -I Shared/CCarillonWire/include -c "$file" -o "$out/c/$(basename "$file" .c).o"
  done
  module MeetingModel
  module Wire
  module RTP
  module SRTP
  module WebRTC
  module ZMTP
  module ZeroMQ
  local target
  for target in "${all[@]}"; do
    swiftc "${flags[@]}" -module-name "Fuzz_${target//-/_}" "Fuzz/Targets/$target.swift" $(sources_of "$target") \
      -o "$out/$target"
  done
  # What the compiler leaves beside a program and -o does not move.
  rm -f Fuzz_*-1.swift{doc,module,sourceinfo}
}

hash_of_inputs() {
  {
    pwd
    swiftc --version 2>&1
    find Shared/COpenSSL Shared/SRTP Shared/WebRTC -type f | sort | xargs sha256sum
    find Shared/CArena Shared/CCarillonWire Shared/MeetingModel Shared/CSodium Shared/RTP Shared/Signing Shared/Wire Shared/ZMTP Shared/CZeroMQ Shared/ZeroMQ Shared/Bus/Cluster Shared/Bus/Topic.swift Fuzz/Targets Fuzz/Support \
      Services/Gateway/REST Services/Gateway/Browser Services/Media/WebRTC Scripts/fuzz.sh -type f | sort | xargs sha256sum
  } | sha256sum | cut -d' ' -f1
}

mapfile -t all < <(find Fuzz/Targets -name '*.swift' -printf '%f\n' | sed 's/\.swift$//' | sort)
mkdir -p "$out"
wanted=$(hash_of_inputs)
if [[ $(cat "$out/.built" 2>/dev/null) != "$wanted" ]]; then
  echo "Building ${all[*]}"
  build
  echo "$wanted" >"$out/.built"
fi
[[ ${1:-} == --build ]] && exit 0

fuzz() {
  local target=$1 log="$out/$1.log"
  mkdir -p "$out/corpus/$target"
  # An input that takes 30 seconds hangs; beside other work at low priority a slow one may take 10.
  if "$out/$target" -max_total_time="$seconds" -max_len=16384 -timeout=30 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$out/findings/$target-" "$out/corpus/$target" "Fuzz/Corpus/$target" >"$log" 2>&1; then
    echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, no finding"
  else
    tail -n 40 "$log" >&2
    echo "$target: a finding, see $log and $out/findings" >&2
    return 1
  fi
}

targets=("${@:-${all[@]}}")
for target in "${targets[@]}"; do
  [[ -x $out/$target ]] || { echo "fuzz.sh: There is no target $target; there are ${all[*]}." >&2; exit 2; }
done
seconds=${FUZZ_SECONDS:-$((total_seconds * $(nproc) / ${#targets[@]}))}
found=0
begun=0
for target in "${targets[@]}"; do
  # As many at once as there are cores: each is a process with one thread.
  ((begun++ < $(nproc))) || wait -n || found=1
  fuzz "$target" &
done
while [[ -n $(jobs -p) ]]; do wait -n || found=1; done
exit "$found"
