import MeetingModel
import Wire

/// Fuzzes messages as a ROUTER or DEALER socket receives them: the frames of a bundle. The length
/// of each frame precedes the frame. The target parses each frame with every kind of header.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let message = unsafe FuzzInput.bytes(data, count)
  let bytes = unsafe message.span.bytes
  guard var frames = try? WireFrameBundle.Reader(bytes) else { return 0 }
  var (found, end) = (0, 0)
  while let place = frames.next(in: bytes) {
    FuzzInput.require(place.lowerBound >= end, "frames lie one behind the other")
    (found, end) = (found + 1, place.upperBound)
    check(Array(message[place]))
  }
  FuzzInput.require(
    end == count && found <= WireFrameBundle.mostFrames, "a bundle is its frames, 64 at most")
  return 0
}

private func check(_ frame: [UInt8]) {
  let bytes = unsafe frame.span.bytes
  guard let parts = try? WireFrame.split(bytes) else { return }
  FuzzInput.require(
    parts.header.upperBound == parts.body.lowerBound && parts.body.upperBound == frame.count,
    "header and body are all that is behind the length")
  let header = bytes.extracting(parts.header)
  let body = Array(frame[parts.body])
  if let request = ReencodingCheck.check(V1.RequestHeader.self, header) { packAgain(request, body) }
  if let event = ReencodingCheck.check(V1.EventHeader.self, header) { packAgain(event, body) }
  if let reply = ReencodingCheck.check(V1.ReplyHeader.self, header) {
    packAgain(reply, body)
    _ = reply.status.map { MeetingModel.Status($0) }
  }
}

/// Checks that a frame packed from parsed parts splits into the same parts.
private func packAgain(_ header: some WireMessage, _ body: [UInt8]) {
  let frame = WireFrame.pack(header: header, packedBody: body)
  // The reader accepts a negative enum value in five bytes, but the writer writes it in ten bytes.
  guard header.packedCount <= WireFrame.maximumHeaderBytes else { return }
  guard let parts = try? unsafe WireFrame.split(frame.span.bytes) else {
    fatalError("Broken: a frame that was packed can be split")
  }
  FuzzInput.require(
    Array(frame[parts.header]) == header.packed() && Array(frame[parts.body]) == body,
    "a frame holds the header and the body it was packed from")
}
