import RTP

/// Fuzzes packets as media and clients receive them: RTP and its header extensions.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var bytes = unsafe FuzzInput.bytes(data, count)
  _ = RTPPacket.isRTCP(bytes.span)
  guard let packet = RTPPacket(bytes.span) else { return 0 }
  FuzzInput.require(
    packet.payload.upperBound + packet.paddingBytes == bytes.count
      && packet.extensions.upperBound == packet.payload.lowerBound,
    "the parts of a packet are all of it")
  for index in 0..<packet.contributors.count / 4 {
    _ = packet.contributor(index, in: bytes.span)
  }
  var reader = HeaderExtensionReader(packet)
  var end = packet.extensions.lowerBound
  while let item = reader.next(in: bytes.span) {
    FuzzInput.require(
      item.value.lowerBound > end && item.value.upperBound <= packet.extensions.upperBound,
      "header extensions follow each other")
    end = item.value.upperBound
    _ = AudioLevel(of: packet, id: item.id, in: bytes.span)
  }
  if let audio = RedundantAudio(packet.payload, in: bytes.span) {
    var end = packet.payload.lowerBound + 4 * audio.count + 1
    for index in 0..<audio.count {
      let copy = audio.copy(index, in: bytes.span)
      FuzzInput.require(copy.payload.lowerBound == end, "copies follow each other")
      end = copy.payload.upperBound
    }
    FuzzInput.require(
      audio.payload == end..<packet.payload.upperBound, "the packet's own sound is the rest")
  }
  let patch = RTPPatch(
    sequence: packet.sequence.advanced(by: 1), timestamp: ~packet.timestamp, ssrc: ~packet.ssrc,
    payloadType: packet.payloadType ^ 0x7f)
  var span = bytes.mutableSpan
  patch.apply(to: &span)
  guard let patched = RTPPacket(bytes.span) else { fatalError("Broken: a patch keeps a packet") }
  FuzzInput.require(
    patched.sequence == patch.sequence && patched.timestamp == patch.timestamp
      && patched.ssrc == patch.ssrc && patched.payloadType == patch.payloadType
      && patched.payload == packet.payload && patched.isMarked == packet.isMarked,
    "a patch changes what it names and nothing else")
  return 0
}
