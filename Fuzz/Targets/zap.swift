internal import ZeroMQ

/// Fuzzes the frames of a libzmq authentication request. In the input, the length of each frame
/// precedes the frame. The list allows one key for one role. No input may result in the admission
/// of another key, or of this key for another role.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var rest = unsafe FuzzInput.bytes(data, count)[...]
  var frames: [[UInt8]] = []
  while let size = rest.popFirst(), frames.count < 32 {
    frames.append(Array(rest.prefix(Int(size))))
    rest = rest.dropFirst(Int(size))
  }
  let allowed = [UInt8](repeating: 0, count: 32)
  let reply = ZAPRequest.answer(to: frames) { key, role in
    key == CurveKey(allowed) && role == .service ? .admitted(name: "a") : .refused(.unknownKey)
  }
  guard let reply else { return 0 }
  FuzzInput.require(frames.count >= 2 && reply.id == frames[1], "a reply names its request")
  FuzzInput.require(reply.frames.count == 6, "a reply has six frames")
  let isAllowed =
    frames.count == 7 && frames[0] == Array("1.0".utf8) && frames[2] == Array("service".utf8)
    && frames[5] == Array("CURVE".utf8) && frames[6] == allowed
  FuzzInput.require(reply.status != .success || isAllowed, "nobody else comes in")
  return 0
}
