internal import Foundation
internal import MeetingViews
internal import Output

extension OutputOptions {
  /// Prints an event of a client as a line with its time, or as an object.
  func print(_ event: ObservedEvent) {
    switch output {
    case .json: Console.out(event.record.json)
    case .text:
      let time = Date().formatted(.iso8601.time(includingFractionalSeconds: true))
      Console.out("\(time)  \(event.text)")
    }
  }
}
