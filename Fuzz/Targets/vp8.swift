import MeetingModel
import RTP

/// Fuzzes VP8 payloads: the descriptor, the frame header, and the assembly of frames.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe FuzzInput.bytes(data, count)
  FuzzInput.assemble(bytes, .vp8)
  guard let (descriptor, start) = VP8Descriptor.read(bytes.span) else { return 0 }
  _ = VP8FrameHeader(bytes.span.extracting(start..<bytes.count))
  var written: [UInt8] = []
  descriptor.append(to: &written)
  written.append(0)
  guard let (again, end) = VP8Descriptor.read(written.span) else {
    fatalError("Broken: a descriptor that was written can be read")
  }
  FuzzInput.require(
    again == descriptor && end == descriptor.byteCount && end <= VP8Descriptor.maximumBytes,
    "a descriptor says the same again")
  var patched = bytes
  var span = patched.mutableSpan
  descriptor.patch(&span, payloadAt: 0, pictureID: 0x1234, baseLayerIndex: 0x56)
  guard let (changed, same) = VP8Descriptor.read(patched.span) else {
    fatalError("Broken: a patch keeps a descriptor")
  }
  FuzzInput.require(
    same == start && patched[start...] == bytes[start...]
      && changed.baseLayerIndex == descriptor.baseLayerIndex.map { _ in 0x56 }
      && changed.pictureID?.value == descriptor.pictureID.map { 0x1234 % $0.modulus },
    "a patch changes the numbers that are there and nothing else")
  return 0
}
