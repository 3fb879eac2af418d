import RTP
import Testing

@Suite struct ArrivalReportTests {
  /// Returns a report: two packets of stream 7 arrived, a third is missing, and one packet of
  /// stream 8 arrived.
  private func makeReport() -> ArrivalReport {
    var report = ArrivalReport()
    report.begin(7, from: SequenceNumber(65_535))
    report.add(arrivedAt: 1_000)
    report.add(arrivedAt: nil)
    report.add(arrivedAt: -2_000)
    report.begin(8, from: SequenceNumber(3))
    report.add(arrivedAt: 4_000)
    return report
  }

  @Test(
    arguments: [
      (7, 65_535, ArrivalReport.Fate.arrived(at: 1_000)), (7, 0, .missing),
      (7, 1, .arrived(at: -2_000)), (7, 2, .unreported), (7, 65_534, .unreported),
      (8, 3, .arrived(at: 4_000)), (8, 2, .unreported), (8, 65_535, .unreported),
      (9, 3, .unreported),
    ] as [(UInt32, UInt16, ArrivalReport.Fate)])
  func `a report gives the fate of the packet with a given stream and number`(
    stream: UInt32, number: UInt16, fate: ArrivalReport.Fate
  ) {
    #expect(makeReport().fate(of: stream, SequenceNumber(number)) == fate)
  }

  @Test func `a cleared report contains no packets`() {
    var report = makeReport()
    report.clear()
    #expect(report.isEmpty)
    #expect(report.fate(of: 7, SequenceNumber(65_535)) == .unreported)
  }

  /// Returns the feedback, sent at this time, for one packet of stream 7 that arrived 10 ms
  /// earlier.
  private func feedback(at moment: Int64) -> [UInt8] {
    var log = ArrivalLog()
    log.receive(7, SequenceNumber(5), at: MonotonicTime(microseconds: moment - 10_000))
    var writer = RTCPWriter()
    log.takeFeedback(
      sender: 1, at: MonotonicTime(microseconds: moment), within: 1_200, into: &writer)
    return writer.bytes
  }

  @Test func `arrival times increase across a wrap of feedback timestamps`() throws {
    var feedbackReader = CongestionFeedbackReader()
    var report = ArrivalReport()
    // Timestamps have 32 bits, in units of 1/65,536 s.
    let wrap: Int64 = 65_536_000_000
    let times = try [wrap - 30_000, wrap + 70_000].map { moment in
      let bytes = feedback(at: moment)
      var reader = RTCPReader()
      guard case .congestionFeedback(let feedback)? = reader.next(in: bytes.span) else {
        throw TestError.noFeedback
      }
      feedbackReader.read(feedback, in: bytes.span, into: &report)
      guard case .arrived(let time) = report.fate(of: 7, SequenceNumber(5)) else {
        throw TestError.noArrival
      }
      return time
    }
    // Ages have a resolution of about 1 ms.
    #expect(abs(times[1] - times[0] - 100_000) <= 1_100)
  }

  private enum TestError: Error { case noFeedback, noArrival }

  /// The sender's result does not depend on the format of the report.
  @Test func `the estimator accepts reports regardless of their source`() {
    var (log, estimator) = (SentLog(), FeedbackEstimator(at: MonotonicTime(microseconds: 0)))
    var report = ArrivalReport()
    for number in UInt16(0)..<200 {
      let sent = Int64(number) * 5_000
      log.send(0, SequenceNumber(number), bytes: 1_200, at: MonotonicTime(microseconds: sent))
      guard number % 10 == 9 else { continue }
      report.clear()
      report.begin(0, from: SequenceNumber(number - 9))
      for place in 0..<10 { report.add(arrivedAt: sent - 45_000 + Int64(place) * 5_000 + 777_000) }
      estimator.take(
        report, of: &log, isBacklogged: false, at: MonotonicTime(microseconds: sent + 20_000))
      #expect(log.bytesInFlight == 0)
    }
    // The sender sent a packet of 1,200 bytes every 5 ms, and the packets arrived at the same rate.
    #expect(estimator.bitsPerSecond > 1_800_000)
    #expect(estimator.roundTrip == 20_000)
  }
}
