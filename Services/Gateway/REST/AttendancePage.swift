import MeetingModel
import Storage

/// A part of a meeting's attendance, as JSON or as a table.
struct AttendancePage {
  let record: MeetingRecord
  let sessions: [AttendanceSession]

  /// Where the next part begins; `nil` if there is none.
  let next: String?

  /// Milliseconds since 1970-01-01T00:00:00Z: until when sessions that go on are counted.
  let now: Int64

  var json: RESTResponse {
    var members: [String: JSONValue] = [
      "MeetingId": .string(record.meeting.text),
      "ExternalMeetingId": .string(record.externalMeetingID.text),
      "CreatedAt": Timestamp.value(record.createdAt),
      "Sessions": .array(sessions.map(json(of:))), "Unrecorded": .integer(record.unrecorded),
    ]
    members["EndedAt"] = record.endedAt.map { Timestamp.value($0) }
    members["NextToken"] = next.map { .string($0) }
    return RESTResponse(.ok, .object(members))
  }

  /// RFC 4180, with the names of the members as its header.
  var csv: RESTResponse {
    let header = "MeetingId,AttendeeId,ExternalUserId,JoinedAt,LeftAt,Reason,Minutes,DisplayName"
    let rows = sessions.map { session in
      [
        session.meeting.text, session.attendee.text, session.externalUserID.text,
        Timestamp.text(session.joinedAt), session.left.map { Timestamp.text($0.at) } ?? "",
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
      "JoinedAt": Timestamp.value(session.joinedAt), "Minutes": .number(minutes(of: session)),
    ]
    members["DisplayName"] = session.displayName.map { .string($0.text) }
    members["LeftAt"] = session.left.map { Timestamp.value($0.at) }
    members["Reason"] = session.left.map { .string($0.reason.rawValue) }
    return .object(members)
  }

  /// With two digits behind the point.
  private func minutes(of session: AttendanceSession) -> String {
    let hundredths = max(0, (session.left?.at ?? now) - session.joinedAt) / 600
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }

  /// A value that a program which counts with tables takes for a formula gets a quote before it
  /// (CWE-1236): names are chosen by users. A mark that combines with a quote or an equals sign
  /// makes one character of both, so that code points are looked at.
  private static func quoted(_ text: String) -> String {
    let isFormula = text.unicodeScalars.first.map(formulaSigns.contains) ?? false
    let safe = isFormula ? "'" + text : text
    guard safe.utf8.contains(where: { Array(",\"\r\n".utf8).contains($0) }) else { return safe }
    let doubled = safe.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
    return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
  }

  /// The wide ones are taken for the others in some languages.
  private static let formulaSigns = Set("=+-@\t\r＝＋－＠".unicodeScalars)
}
