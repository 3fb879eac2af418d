internal import Foundation
internal import Output

/// A JSON line of a service's log, with the members that a trace needs.
struct ServiceLogLine: Hashable {
  /// The time in RFC 3339, UTC, with milliseconds, so that the order of these texts is the order of
  /// the times.
  let time: String
  let message: String

  /// The other members, by their keys.
  let fields: [String: String]

  var session: String? { fields["session.id"] }
  var attendee: String? { fields["attendee.id"] }
  var meeting: String? { fields["meeting.id"] }
  var trace: String? { fields["trace.id"] }
  var instance: String? { fields["service.instance"] }

  /// Whether the line is about a session, an attendee or a traced request.
  var isOfSomebody: Bool { session != nil || attendee != nil || trace != nil }

  /// Parses a line; `nil` for a line that is not JSON of a service.
  ///
  /// - Parameter line: The line. The parser skips text before the JSON, such as the name that
  ///   `docker-compose logs` and `carillon up` put before each line.
  init?(_ line: String) {
    guard let start = line.utf8.firstIndex(of: UInt8(ascii: "{")),
      let members = try? JSONDecoder().decode(
        [String: Field].self, from: Data(line.utf8[start...])),
      let time = members["time"]?.text, let message = members["message"]?.text
    else { return nil }
    (self.time, self.message) = (time, message)
    fields = members.compactMapValues(\.text).filter {
      !["time", "message", "logger"].contains($0.key)
    }
  }

  /// The record for one line of the timeline.
  var record: OutputRecord {
    let shown = [
      "service.instance", "session.id", "attendee.id", "meeting.id", "trace.id", "level",
    ]
    let rest = fields.filter { !shown.contains($0.key) }.sorted { $0.key < $1.key }
    return [
      "time": .text(time), "service": .text(instance ?? ""), "level": .text(fields["level"] ?? ""),
      "session": .text(session ?? ""), "trace": .text(trace.map { String($0.prefix(8)) } ?? ""),
      "step": .text(message),
      "details": .object(OutputRecord(rest.map { .init(name: $0.key, value: .text($0.value)) })),
    ]
  }

  /// A member of a line. The parser keeps only members whose values are texts.
  private struct Field: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
      text = try? decoder.singleValueContainer().decode(String.self)
    }
  }
}
