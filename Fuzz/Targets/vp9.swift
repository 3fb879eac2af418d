import MeetingModel
import RTP

/// Fuzzes VP9 payloads: the descriptor, the frame header, and the assembly of pictures.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe FuzzInput.bytes(data, count)
  FuzzInput.assemble(bytes, .vp9)
  guard let (descriptor, start) = VP9Descriptor.read(bytes.span) else { return 0 }
  FuzzInput.require((1..<bytes.count).contains(start), "data follows a descriptor")
  if let header = VP9FrameHeader(bytes.span.extracting(start..<bytes.count)) {
    FuzzInput.require(
      header.isKeyFrame == (header.width > 0 && header.height > 0), "only a key frame has a size")
  }
  var patched = bytes
  var span = patched.mutableSpan
  descriptor.patch(&span, payloadAt: 0, pictureID: 0x1234, baseLayerIndex: 0x56)
  guard let (changed, same) = VP9Descriptor.read(patched.span) else {
    fatalError("Broken: a patch keeps a descriptor")
  }
  FuzzInput.require(
    same == start && patched[start...] == bytes[start...]
      && changed.baseLayerIndex == descriptor.baseLayerIndex.map { _ in 0x56 }
      && changed.pictureID?.value == descriptor.pictureID.map { 0x1234 % $0.modulus }
      && changed.temporalLayer == descriptor.temporalLayer && changed.size == descriptor.size,
    "a patch changes the numbers that are there and nothing else")
  return 0
}
