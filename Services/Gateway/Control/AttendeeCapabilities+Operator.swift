import MeetingModel
import Wire

extension AttendeeCapabilities {
  /// Reads what an operator asks for.
  ///
  /// - Throws: ``ModelError`` for a direction that this version does not know, or a combination that
  ///   is not allowed.
  init(reading message: V1.Capabilities) throws(ModelError) {
    try self.init(
      audio: MediaDirection(reading: message.audio), video: MediaDirection(reading: message.video),
      content: MediaDirection(reading: message.content))
  }

  /// As operators are told.
  var written: V1.Capabilities {
    V1.Capabilities(audio: audio.written, video: video.written, content: content.written)
  }
}

extension MediaDirection {
  fileprivate init(reading direction: V1.MediaDirection) throws(ModelError) {
    switch direction {
    case .unspecified, .sendReceive: self = .sendReceive
    case .send: self = .send
    case .receive: self = .receive
    case .none: self = .none
    case .unrecognized:
      throw .invalidValue(
        what: "media direction", rule: "one of SendReceive, Send, Receive and None")
    }
  }

  fileprivate var written: V1.MediaDirection {
    switch self {
    case .sendReceive: .sendReceive
    case .send: .send
    case .receive: .receive
    case .none: .none
    }
  }
}
