internal import MeetingModel
internal import Wire
internal import ZeroMQ

/// An open call of a ``RequestChannel``.
struct PendingCall {
  /// The time at which the call times out; `nil` for a stream, which has no timeout.
  let deadline: ContinuousClock.Instant?
  let taker: Taker

  var isStream: Bool {
    switch taker {
    case .task, .reply: false
    case .items, .rawItems: true
    }
  }

  /// The receiver of a call's answer.
  ///
  /// Safe: when a call ends, the channel removes the call from the open calls, so the channel
  /// resumes the call's task exactly once.
  @safe enum Taker {
    /// A task that awaits the reply.
    case task(UnsafeContinuation<Answer, Never>)
    /// A closure that receives the reply.
    case reply((Answer) -> Void)
    /// Two closures: one receives a stream's items, and the other receives the stream's end.
    case items((RawSpan, Int) throws(WireError) -> Void, end: (Status?) -> Void)
    /// Two closures: one receives a stream's items with their raw frames, and the other receives
    /// the stream's end.
    case rawItems((RawSpan, [MessageFrame]) throws(WireError) -> Void, end: (Status?) -> Void)
  }
}

/// The outcome of a unary call.
typealias Answer = Result<ReceivedWireFrame, Status>

/// A received frame with an unparsed body.
struct ReceivedWireFrame: Sendable {
  /// The message that contains the frame, and possibly other frames.
  let bytes: MessageFrame

  /// The size of the frame, in bytes.
  let size: Int

  /// The range of the body in the message.
  let body: Range<Int>

  /// Passes the body to `read`.
  func withBody<R, E: Error>(_ read: (RawSpan) throws(E) -> R) throws(E) -> R {
    try bytes.withBytes { (bytes) throws(E) in try read(bytes.extracting(body)) }
  }
}

extension PendingCall.Taker {
  func take(_ answer: Answer) {
    switch self {
    case .task(let continuation): unsafe continuation.resume(returning: answer)
    case .reply(let then): then(answer)
    case .items(_, let end), .rawItems(_, let end):
      if case .failure(let status) = answer { end(status) }
    }
  }

  /// Ends the call. The status is `nil` for a stream that ended without an error.
  func end(_ status: Status?) {
    switch self {
    case .task, .reply: take(.failure(status ?? .unreadableReply("the reply is missing")))
    case .items(_, let end), .rawItems(_, let end): end(status)
    }
  }
}

extension WireMessage {
  /// Reads the reply in a received frame.
  init(inReply reply: ReceivedWireFrame) throws(Status) {
    do throws(WireError) {
      self = try reply.withBody { (body) throws(WireError) in try Self(packed: body) }
    } catch {
      throw .unreadableReply("\(error)")
    }
  }
}

extension Status {
  static var cancelledByCaller: Status { Status(.cancelled, "The caller cancelled.") }

  static func unreadableReply(_ why: String) -> Status {
    Status(.internalError, "The answer could not be read: \(why).", reason: .malformed)
  }
}
