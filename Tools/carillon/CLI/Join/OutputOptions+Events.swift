internal import Foundation
internal import MeetingViews
internal import Output

extension OutputOptions {
  /// Prints an event of a client as a line with its time, or as an object.
  func print(_ event: ObservedEvent) { printEvent(event.record, event.text) }

  /// Prints what happened to a video as a line with its time, or as an object.
  func printVideo(_ record: OutputRecord) { printEvent(record, record.line) }

  private func printEvent(_ record: OutputRecord, _ text: String) {
    switch output {
    case .json: Console.out(record.json)
    case .text:
      let time = Date().formatted(.iso8601.time(includingFractionalSeconds: true))
      Console.out("\(time)  \(text)")
    }
  }
}

extension OutputRecord {
  /// The values in one line, for a person.
  var line: String { fields.map(\.value.text).joined(separator: "  ") }
}
