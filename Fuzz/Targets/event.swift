import MeetingModel
import Wire

/// Fuzzes events as a SUB socket receives them: a topic followed by a frame.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe FuzzInput.bytes(data, count)
  let bytes = unsafe input.span.bytes
  guard let topic = EventTopic(leading: bytes) else { return 0 }
  FuzzInput.require(
    input.starts(with: topic.bytes) && topic.text.hasSuffix("/"),
    "a topic is what stands in front, up to a slash")
  let frame = bytes.extracting(topic.bytes.count..<bytes.byteCount)
  guard let parts = try? WireFrame.split(frame) else { return 0 }
  ReencodingCheck.check(V1.EventHeader.self, frame.extracting(parts.header))
  if topic.isBeacon { ReencodingCheck.check(V1.StreamBeacon.self, frame.extracting(parts.body)) }
  return 0
}
