import MeetingModel
import Storage

/// A page of a meeting's attendance, as JSON or CSV.
struct AttendancePage {
  let record: MeetingRecord
  let sessions: [AttendanceSession]

  /// The token of the next page; `nil` if this page is the last.
  let next: String?

  /// The current time in milliseconds since 1970-01-01T00:00:00Z. The page uses this time as the
  /// end of open sessions.
  let now: Int64

  var json: RESTResponse {
    var members: [String: JSONValue] = [
      "MeetingId": .string(record.meeting.text),
      "ExternalMeetingId": .string(record.externalMeetingID.text),
      "CreatedAt": TimestampFormatter.value(record.createdAt),
      "Sessions": .array(sessions.map(json(of:))), "Unrecorded": .integer(record.unrecorded),
    ]
    members["EndedAt"] = record.endedAt.map { TimestampFormatter.value($0) }
    members["NextToken"] = next.map { .string($0) }
    return RESTResponse(.ok, .object(members))
  }

  /// The page as CSV (RFC 4180). The header line has the names of the members.
  var csv: RESTResponse {
    let header = "MeetingId,AttendeeId,ExternalUserId,JoinedAt,LeftAt,Reason,Minutes,DisplayName"
    let rows = sessions.map { session in
      [
        session.meeting.text, session.attendee.text, session.externalUserID.text,
        TimestampFormatter.text(session.joinedAt),
        session.left.map { TimestampFormatter.text($0.at) } ?? "",
        session.left?.reason.rawValue ?? "", minutes(of: session),
        session.displayName?.text ?? "",
      ].map(Self.quoted).joined(separator: ",")
    }
    var response = RESTResponse(.ok)
    response.body = Array(([header] + rows).map { $0 + "\r\n" }.joined().utf8)
    response.headers = [
      .init(name: "Content-Type", value: "text/csv; charset=utf-8; header=present")
    ]
    if let next { response.headers.append(.init(name: "Carillon-Next-Token", value: next)) }
    return response
  }

  private func json(of session: AttendanceSession) -> JSONValue {
    var members: [String: JSONValue] = [
      "AttendeeId": .string(session.attendee.text),
      "ExternalUserId": .string(session.externalUserID.text),
      "JoinedAt": TimestampFormatter.value(session.joinedAt),
      "Minutes": .number(minutes(of: session)),
    ]
    members["DisplayName"] = session.displayName.map { .string($0.text) }
    members["LeftAt"] = session.left.map { TimestampFormatter.value($0.at) }
    members["Reason"] = session.left.map { .string($0.reason.rawValue) }
    return .object(members)
  }

  /// Returns the session's length in minutes, with two decimal places.
  private func minutes(of session: AttendanceSession) -> String {
    let hundredths = max(0, (session.left?.at ?? now) - session.joinedAt) / 600
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }

  /// Quotes a CSV field.
  ///
  /// Users choose their names, and a spreadsheet could read a name as a formula. So a field that
  /// begins like a formula gets a leading apostrophe (CWE-1236). The method compares code points
  /// and not characters, because a quote or an equals sign forms one character with a combining
  /// mark after this sign.
  private static func quoted(_ text: String) -> String {
    let isFormula = text.unicodeScalars.first.map(formulaSigns.contains) ?? false
    let safe = isFormula ? "'" + text : text
    guard safe.utf8.contains(where: { Array(",\"\r\n".utf8).contains($0) }) else { return safe }
    let doubled = safe.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
    return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
  }

  /// The signs with which a formula may begin. Spreadsheets in some languages treat the full-width
  /// signs like the ASCII signs.
  private static let formulaSigns = Set("=+-@\t\r＝＋－＠".unicodeScalars)
}
