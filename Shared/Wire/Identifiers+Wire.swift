public import MeetingModel

extension SessionID {
  /// Reads a session id as it arrived.
  ///
  /// - Throws: ``MeetingModel/ModelError/invalidValue(what:rule:)`` unless there are sixteen bytes.
  public init(wire bytes: [UInt8]) throws(ModelError) {
    guard let id = SessionID(bytes: bytes) else {
      throw .invalidValue(what: "session_id", rule: "16 bytes")
    }
    self = id
  }
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

extension V1.AttendeeInfo {
  /// A participant as it travels.
  public init(_ identity: ParticipantIdentity) {
    self.init(attendeeID: identity.id.text, externalUserID: identity.externalUserID.text)
  }
}

extension ParticipantIdentity {
  /// Reads a participant as it arrived.
  ///
  /// - Throws: `ModelError` for an id that cannot be one.
  public init(_ info: V1.AttendeeInfo) throws(ModelError) {
    self.init(
      id: try ParticipantID(info.attendeeID),
      externalUserID: try ExternalUserID(info.externalUserID))
  }
}
