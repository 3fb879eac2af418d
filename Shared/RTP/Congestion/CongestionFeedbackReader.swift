/// Converts the congestion control feedback (RFC 8888) of one connection to arrival reports.
///
/// The reader tracks the other side's clock: the timestamps in feedback messages wrap, but the
/// times in reports do not.
public struct CongestionFeedbackReader: Sendable {
  /// The last timestamp and its unwrapped time.
  private var last: (timestamp: UInt32, at: Int64)?

  /// Creates a reader for a connection that has received no feedback yet.
  public init() {}

  /// Reads a feedback message into a report, and replaces the report's previous content.
  ///
  /// Skips streams beyond ``ArrivalLog/mostStreams``, because no arrival log reports more streams.
  public mutating func read(
    _ feedback: CongestionFeedback, in bytes: Span<UInt8>, into report: inout ArrivalReport
  ) {
    report.clear()
    let time = unwrap(feedback.timestamp)
    feedback.forEach(in: bytes) { stream in
      guard report.runs.count < ArrivalLog.mostStreams else { return }
      report.begin(stream.ssrc, from: stream.first)
      for index in 0..<stream.count {
        report.add(arrivedAt: stream.age(index, in: bytes).map { time &- $0 })
      }
    }
  }

  /// Unwraps a timestamp.
  ///
  /// - Returns: The time in microseconds since the first feedback message.
  private mutating func unwrap(_ timestamp: UInt32) -> Int64 {
    var time: Int64 = 0
    if let last {
      let step = Int64(Int32(bitPattern: timestamp &- last.timestamp)) * 1_000_000 / 65_536
      time = last.at &+ step
    }
    last = (timestamp, time)
    return time
  }
}
