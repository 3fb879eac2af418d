import MeetingModel
import Wire

extension LanguageChoices.Choice {
  /// Reads a session's languages as they arrived.
  ///
  /// - Throws: ``TranscriptionError/malformed(field:rule:)`` or `ModelError` for a wrong field.
  static func read(_ session: V1.TranscriptSession?) throws -> (MeetingID, LanguageChoices.Choice) {
    guard let session else { throw TranscriptionError.malformed(field: "session", rule: "present") }
    let choice = LanguageChoices.Choice(
      session: session.sessionID.isEmpty ? nil : try SessionID(wire: session.sessionID),
      participant: try ParticipantID(session.participantID),
      promotedAs: session.promotedAs.isEmpty ? nil : try ParticipantID(session.promotedAs),
      view: try LanguageCode.read(session.viewLanguage, "view_language"),
      spoken: try LanguageCode.read(session.spokenLanguage, "spoken_language"))
    return (try MeetingID(session.meetingID), choice)
  }

  /// As it travels.
  func wire(in meeting: MeetingID) -> V1.TranscriptSession {
    V1.TranscriptSession(
      meetingID: meeting.text, sessionID: session?.bytes ?? [], participantID: participant.text,
      viewLanguage: view?.text ?? "", spokenLanguage: spoken?.text ?? "",
      promotedAs: promotedAs?.text ?? "")
  }
}

extension SessionID {
  /// Reads a session id as it arrived.
  init(wire bytes: [UInt8]) throws(TranscriptionError) {
    guard let id = SessionID(bytes: bytes) else {
      throw .malformed(field: "session_id", rule: "16 bytes")
    }
    self = id
  }
}

extension GatewayName {
  /// Reads a gateway's name as it arrived.
  init(wire text: String) throws(TranscriptionError) {
    guard let name = GatewayName(text) else {
      throw .malformed(field: "gateway", rule: "1-64 letters, digits, -, _ or .")
    }
    self = name
  }
}
