import MeetingModel
import Wire

/// Fuzzes messages of browsers. An input has several messages. Two bytes with the length of a
/// message precede the message.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe FuzzInput.bytes(data, count)
  var talk = BrowserSignaling()
  var place = 0
  while place + 2 <= bytes.count {
    let length = Int(bytes[place]) << 8 | Int(bytes[place + 1])
    let end = min(place + 2 + length, bytes.count)
    take(Array(bytes[(place + 2)..<end]), by: &talk)
    place = end
  }
  return 0
}

private func take(_ message: [UInt8], by talk: inout BrowserSignaling) {
  guard let frame = try? SignalCodec.frame(in: message) else { return }
  let written = SignalCodec.message(frame)
  guard let again = try? SignalCodec.frame(in: written) else {
    fatalError("Broken: a frame that was read can be read again")
  }
  FuzzInput.require(SignalCodec.message(again) == written, "a frame says the same again")
  let before = talk.phase
  talk.take(frame, at: 1)
  for command in talk.takeCommands() {
    switch command {
    case .join: talk.hasJoined()
    case .negotiate: talk.negotiated(.success(SubscribeAnswer(sdp: "v=0")), at: 2)
    case .send(let frame): FuzzInput.require(frame.timestampMs > 0, "what is sent has a time")
    case .setMuted, .repeatMuted, .sendMessage, .promote, .demote, .changePictures, .setPaused:
      if case .sendMessage = command, before != .joined {
        fatalError("Broken: nobody speaks before it has joined")
      }
    case .leave, .isAlive, .close: break
    }
  }
  if frame.type == .leave { FuzzInput.require(talk.phase == .leaving, "who leaves has left") }
}
