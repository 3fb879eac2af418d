internal import Foundation
internal import Output

/// A line that a service logged as JSON, as far as a trace needs it.
struct LogEntry: Hashable {
  /// RFC 3339 in UTC with milliseconds: the order of texts is that of times.
  let time: String
  let message: String

  /// What else the line has, by its keys.
  let fields: [String: String]

  var session: String? { fields["session.id"] }
  var attendee: String? { fields["attendee.id"] }
  var meeting: String? { fields["meeting.id"] }
  var trace: String? { fields["trace.id"] }
  var instance: String? { fields["service.instance"] }

  /// Whether it is about a session, an attendee or a request of one.
  var isOfSomebody: Bool { session != nil || attendee != nil || trace != nil }

  /// Reads a line; `nil` for one that is no JSON of a service.
  ///
  /// - Parameter line: What a program puts before the JSON is not looked at, such as the name that
  ///   `docker-compose logs` and `carillon up` begin each line with.
  init?(_ line: String) {
    guard let start = line.utf8.firstIndex(of: UInt8(ascii: "{")),
      let members = try? JSONDecoder().decode(
        [String: Member].self, from: Data(line.utf8[start...])),
      let time = members["time"]?.text, let message = members["message"]?.text
    else { return nil }
    (self.time, self.message) = (time, message)
    fields = members.compactMapValues(\.text).filter {
      !["time", "message", "logger"].contains($0.key)
    }
  }

  /// One line of the timeline.
  var record: Record {
    let shown = [
      "service.instance", "session.id", "attendee.id", "meeting.id", "trace.id", "level",
    ]
    let rest = fields.filter { !shown.contains($0.key) }.sorted { $0.key < $1.key }
    return [
      "time": .text(time), "service": .text(instance ?? ""), "level": .text(fields["level"] ?? ""),
      "session": .text(session ?? ""), "trace": .text(trace.map { String($0.prefix(8)) } ?? ""),
      "step": .text(message),
      "details": .object(Record(rest.map { .init(name: $0.key, value: .text($0.value)) })),
    ]
  }

  /// A value of a line; only texts are of interest.
  private struct Member: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
      text = try? decoder.singleValueContainer().decode(String.self)
    }
  }
}
