import Bus
import MeetingModel
import Wire

// What the parts of the gateway say alike to their services.

extension V1.ReplayRequest {
  init(_ meeting: MeetingID, after cursor: StreamCursor) {
    self.init(meetingID: meeting.text, epoch: cursor.epoch, afterSequence: cursor.sequence)
  }
}

extension MeetingStream {
  /// A place in this stream, as clients are told.
  func position(at cursor: StreamCursor) -> V1.StreamPosition {
    V1.StreamPosition(stream: name, epoch: cursor.epoch, sequence: cursor.sequence)
  }
}

extension CallOptions {
  /// A sign of life is said again in half a second.
  static let alive = CallOptions(timeout: .seconds(1))

  /// What was missed is asked for again after that.
  static let replay = CallOptions(timeout: .seconds(2))

  /// The same in a trace.
  func traced(by trace: TraceParent) -> CallOptions {
    var options = self
    options.traceparent = trace.text
    return options
  }
}

extension Status {
  /// An answer of a service that lacks what it must have.
  static let emptyAnswer = Status(.internalError, "The service answered nothing.")
}
