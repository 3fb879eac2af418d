import MeetingModel
import Wire

extension LanguageChoices.Choice {
  /// Reads a session's languages.
  ///
  /// - Throws: ``InvalidModelValue`` for an invalid field.
  static func read(_ session: V1.TranscriptSession?) throws -> (MeetingID, LanguageChoices.Choice) {
    guard let session else {
      throw InvalidModelValue.invalidValue(what: "session", rule: "present")
    }
    let choice = LanguageChoices.Choice(
      session: session.sessionID.isEmpty ? nil : try SessionID(wire: session.sessionID),
      participant: try ParticipantID(session.participantID),
      promotedAs: session.promotedAs.isEmpty ? nil : try ParticipantID(session.promotedAs),
      view: try LanguageCode.read(session.viewLanguage, "view_language"),
      spoken: try LanguageCode.read(session.spokenLanguage, "spoken_language"))
    return (try MeetingID(session.meetingID), choice)
  }

  /// Encodes the choice.
  func wire(in meeting: MeetingID) -> V1.TranscriptSession {
    V1.TranscriptSession(
      meetingID: meeting.text, sessionID: session?.bytes ?? [], participantID: participant.text,
      viewLanguage: view?.text ?? "", spokenLanguage: spoken?.text ?? "",
      promotedAs: promotedAs?.text ?? "")
  }
}
