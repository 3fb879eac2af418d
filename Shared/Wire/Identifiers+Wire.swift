public import MeetingModel

extension SessionID {
  /// Reads a session id as it arrived.
  ///
  /// - Throws: ``MeetingModel/ModelError/invalidValue(what:rule:)`` unless there are sixteen bytes.
  public init(wire bytes: [UInt8]) throws(ModelError) {
    guard let id = SessionID(bytes: bytes) else { throw Self.malformed }
    self = id
  }

  static let malformed = ModelError.invalidValue(what: "session_id", rule: "16 bytes")
}

extension GatewayName {
  /// Reads a gateway's name as it arrived.
  ///
  /// - Throws: ``MeetingModel/ModelError/invalidValue(what:rule:)`` for what is no instance's name.
  public init(wire text: String) throws(ModelError) {
    guard let name = GatewayName(text) else {
      throw .invalidValue(what: "gateway", rule: "1-64 letters, digits, -, _ or .")
    }
    self = name
  }
}

extension DisplayName {
  /// Reads a name as it arrived.
  ///
  /// - Returns: `nil` for none, which is empty on the wire.
  /// - Throws: ``MeetingModel/ModelError/invalidValue(what:rule:)`` for what is no name.
  public init?(wire text: String) throws(ModelError) {
    guard !text.isEmpty else { return nil }
    try self.init(text)
  }
}

extension V1.AttendeeInfo {
  /// A participant as it travels.
  public init(_ identity: ParticipantIdentity) {
    self.init(
      externalUserID: identity.externalUserID.text, displayName: identity.displayName?.text ?? "")
    attendeeIDInPlace = IDText(identity.id)
  }
}

extension ParticipantIdentity {
  /// Reads a participant as it arrived.
  ///
  /// - Throws: `ModelError` for an id that cannot be one.
  public init(_ info: V1.AttendeeInfo) throws(ModelError) {
    self.init(
      id: try ParticipantID(info.attendeeIDInPlace),
      externalUserID: try ExternalUserID(info.externalUserID),
      displayName: try DisplayName(wire: info.displayName))
  }
}
