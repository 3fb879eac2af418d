public import MeetingModel

extension SessionID {
  /// Decodes a session id that a message carries.
  ///
  /// - Throws: ``MeetingModel/InvalidModelValue/invalidValue(what:rule:)`` unless there are 16
  ///   bytes.
  public init(wire bytes: [UInt8]) throws(InvalidModelValue) {
    guard let id = SessionID(bytes: bytes) else { throw Self.malformed }
    self = id
  }

  static let malformed = InvalidModelValue.invalidValue(what: "session_id", rule: "16 bytes")
}

extension GatewayName {
  /// Decodes a gateway's name that a message carries.
  ///
  /// - Throws: ``MeetingModel/InvalidModelValue/invalidValue(what:rule:)`` if the text is not an
  ///   instance name.
  public init(wire text: String) throws(InvalidModelValue) {
    guard let name = GatewayName(text) else {
      throw .invalidValue(what: "gateway", rule: "1-64 letters, digits, -, _ or .")
    }
    self = name
  }
}

extension DisplayName {
  /// Decodes a display name that a message carries.
  ///
  /// - Returns: `nil` for an empty text, which means that there is no name.
  /// - Throws: ``MeetingModel/InvalidModelValue/invalidValue(what:rule:)`` if the text is not a
  ///   name.
  public init?(wire text: String) throws(InvalidModelValue) {
    guard !text.isEmpty else { return nil }
    try self.init(text)
  }
}

extension V1.AttendeeInfo {
  /// Encodes a participant for the wire.
  public init(_ identity: ParticipantIdentity) {
    self.init(
      externalUserID: identity.externalUserID.text, displayName: identity.displayName?.text ?? "")
    attendeeIDInPlace = IDText(identity.id)
  }
}

extension ParticipantIdentity {
  /// Decodes a participant that a message carries.
  ///
  /// - Throws: `InvalidModelValue` for an invalid id or display name.
  public init(_ info: V1.AttendeeInfo) throws(InvalidModelValue) {
    self.init(
      id: try ParticipantID(info.attendeeIDInPlace),
      externalUserID: try ExternalUserID(info.externalUserID),
      displayName: try DisplayName(wire: info.displayName))
  }
}
