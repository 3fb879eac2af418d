import MeetingModel
import RTP

/// Fuzzes AV1 payloads: the aggregation header, the sequence header, the assembly of temporal
/// units, and the dependency descriptor.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe FuzzInput.bytes(data, count)
  FuzzInput.assemble(bytes, .av1)
  describe(bytes)
  if let payload = AV1Payload(bytes.span), let header = payload.sequenceHeader(in: bytes.span) {
    FuzzInput.require(
      payload.startsSequence && !payload.continuesUnit, "a sequence header starts a sequence")
    FuzzInput.require(
      (1...1 << 16).contains(header.width) && (1...1 << 16).contains(header.height)
        && (1...8).contains(header.temporalLayers) && (1...4).contains(header.spatialLayers),
      "a sequence header has a size and layers")
  }
  return 0
}

/// Reads and changes the descriptor of a packet, and writes the descriptor into another packet.
private func describe(_ bytes: [UInt8]) {
  guard let packet = RTPPacket(bytes.span),
    let descriptor = DependencyDescriptor(of: packet, in: bytes.span)
  else { return }
  var patched = bytes
  var span = patched.mutableSpan
  descriptor.patch(&span, frameNumber: 0x1234)
  let changed = DependencyDescriptor(of: packet, in: patched.span)
  FuzzInput.require(
    changed?.frameNumber == 0x1234 && changed?.range == descriptor.range,
    "a patch changes the frame number")
  var block = HeaderExtensionBlock()
  block.begin(HeaderExtensionBlock.Form(fitting: descriptor.range.count))
  block.append(DependencyDescriptor.id, bytes.span.extracting(descriptor.range))
  var written: [UInt8] = []
  OutgoingRTPHeader(
    payloadType: 99, sequence: packet.sequence, timestamp: packet.timestamp, ssrc: 1
  )
  .begin(in: &written, block)
  guard let copy = RTPPacket(written.span),
    let again = DependencyDescriptor(of: copy, in: written.span)
  else { fatalError("Broken: a descriptor that was written can be read") }
  FuzzInput.require(
    written[again.range] == bytes[descriptor.range], "a descriptor says the same again")
}
