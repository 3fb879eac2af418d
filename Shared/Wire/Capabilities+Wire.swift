public import MeetingModel

extension V1.Capabilities {
  /// Encodes capabilities for the wire.
  public init(_ capabilities: AttendeeCapabilities) {
    self.init(
      audio: V1.MediaDirection(capabilities.audio), video: V1.MediaDirection(capabilities.video),
      content: V1.MediaDirection(capabilities.content))
  }
}

extension AttendeeCapabilities {
  /// Decodes capabilities from the wire; an absent direction allows sending and receiving.
  ///
  /// - Throws: ``InvalidModelValue`` for a direction that this version does not know, or for a
  ///   forbidden combination.
  public init(_ capabilities: V1.Capabilities?) throws(InvalidModelValue) {
    guard let capabilities else {
      self = .all
      return
    }
    guard let audio = MediaDirection(capabilities.audio),
      let video = MediaDirection(capabilities.video),
      let content = MediaDirection(capabilities.content)
    else {
      throw .invalidValue(
        what: "media direction", rule: "one of SendReceive, Send, Receive and None")
    }
    try self.init(audio: audio, video: video, content: content)
  }
}
