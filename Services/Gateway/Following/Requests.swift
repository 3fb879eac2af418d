import Bus
import MeetingModel
import Wire

// Requests and options that several connectors of the gateway use.

extension V1.ReplayRequest {
  init(_ meeting: MeetingID, after cursor: StreamCursor) {
    self.init(meetingID: meeting.text, epoch: cursor.epoch, afterSequence: cursor.sequence)
  }
}

extension MeetingStream {
  /// Returns a position in this stream as a message for clients.
  func position(at cursor: StreamCursor) -> V1.StreamPosition {
    V1.StreamPosition(stream: name, epoch: cursor.epoch, sequence: cursor.sequence)
  }
}

extension CallOptions {
  /// The options of a heartbeat. The gateway sends a heartbeat every half second, even if the
  /// previous heartbeat has no answer yet.
  static let alive = CallOptions(timeout: .seconds(1))

  /// The options of a request for missed events. The gateway repeats the request after this
  /// timeout.
  static let replay = CallOptions(timeout: .seconds(2))

  /// Returns a copy of these options that also contains a trace.
  func traced(by trace: TraceParent) -> CallOptions {
    var options = self
    options.traceparent = trace.text
    return options
  }
}

extension Status {
  /// The error for a service's answer that lacks a required part.
  static let emptyAnswer = Status(
    .internalError, "The service sent an empty answer; use services of one release.")
}
