public import MeetingModel

extension V1.Capabilities {
  /// Capabilities as they travel.
  public init(_ capabilities: AttendeeCapabilities) {
    self.init(
      audio: V1.MediaDirection(capabilities.audio), video: V1.MediaDirection(capabilities.video),
      content: V1.MediaDirection(capabilities.content))
  }
}

extension AttendeeCapabilities {
  /// Reads capabilities as they arrived; what is not said is allowed.
  ///
  /// - Throws: ``ModelError`` for a direction that this version does not know, or a combination
  ///   that is not allowed.
  public init(_ capabilities: V1.Capabilities?) throws(ModelError) {
    guard let capabilities else {
      self = .all
      return
    }
    try self.init(
      audio: MediaDirection(capabilities.audio), video: MediaDirection(capabilities.video),
      content: MediaDirection(capabilities.content))
  }
}

extension V1.MediaDirection {
  fileprivate init(_ direction: MediaDirection) {
    switch direction {
    case .sendReceive: self = .sendReceive
    case .send: self = .send
    case .receive: self = .receive
    case .none: self = .none
    }
  }
}

extension MediaDirection {
  fileprivate init(_ direction: V1.MediaDirection) throws(ModelError) {
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
}
