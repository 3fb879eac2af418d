import Testing
import Wire

@testable import PocketSphinxEngine

@Suite struct PendingEngineReportTests {
  private static let attachment = TranscriptionAttachmentID(number: 1)

  /// Returns a result of about `bytes` bytes.
  private func result(_ utterance: UInt64, bytes: Int, isFinal: Bool = true) -> V1.EngineResult {
    let word = V1.EngineWord(content: String(repeating: "x", count: bytes))
    return V1.EngineResult(
      streamID: "s", utterance: utterance, isFinal: isFinal,
      alternatives: [V1.EngineAlternative(words: [word])])
  }

  private func outcome(
    _ results: [V1.EngineResult] = [], through: UInt64? = nil, credit: UInt32 = 0
  ) -> RecognitionOutcome {
    RecognitionOutcome(
      attachment: Self.attachment, results: results,
      progress: through.map { [V1.EngineProgress(streamID: "s", throughSample: $0)] } ?? [],
      credit: credit)
  }

  /// Returns all reports until the buffer is empty.
  private func reports(of pending: PendingEngineReport) -> [V1.ReportResultsRequest] {
    var (pending, reports) = (pending, [V1.ReportResultsRequest]())
    while !pending.isEmpty, reports.count < 10_000 { reports.append(pending.takeReport(of: "e")) }
    return reports
  }

  @Test func `several small outcomes of recognition are combined in one report`() {
    var pending = PendingEngineReport()
    pending.add(outcome([result(1, bytes: 10)], through: 5, credit: 2))
    pending.add(outcome([result(2, bytes: 10)], through: 9, credit: 1))
    let reports = reports(of: pending)
    #expect(reports.count == 1)
    #expect(reports.first?.engineID == "e")
    #expect(reports.first?.results.map(\.utterance) == [1, 2])
    #expect(reports.first?.progress.map(\.throughSample) == [9])
    #expect(reports.first?.credit == 3)
  }

  @Test(arguments: [0, 64 << 10])
  func `a large backlog is split into ordered reports within the size limit`(maximum: Int) {
    // Transcription stalls for more than a minute. During this time, the engine makes 3 MB of
    // partial results.
    var pending = PendingEngineReport(maximumBytes: maximum)
    for number in 1...600 {
      pending.add(outcome([result(UInt64(number), bytes: 5_000)], through: UInt64(number)))
    }
    pending.add(outcome(credit: 600))
    let reports = reports(of: pending)
    let most = maximum == 0 ? 256 << 10 : maximum
    #expect(reports.count > 3_000_000 / most)
    #expect(reports.allSatisfy { $0.packedCount <= most })
    #expect(reports.flatMap(\.results).map(\.utterance) == Array(1...600))
    // The progress covers all results, so only the last report contains the progress.
    #expect(reports.dropLast().allSatisfy { $0.progress.isEmpty && $0.credit == 0 })
    #expect(reports.last?.progress.map(\.throughSample) == [600])
    #expect(reports.last?.credit == 600)
  }

  @Test func `a report has at most a thousand entries of each kind`() {
    var pending = PendingEngineReport()
    pending.add(outcome((1...2_500).map { result($0, bytes: 1) }))
    let failures = (0..<1_001).map { V1.EngineFailure(streamID: "\($0)", message: "x") }
    pending.add(RecognitionOutcome(attachment: Self.attachment, failures: failures))
    let reports = reports(of: pending)
    #expect(reports.map(\.results.count) == [1_000, 1_000, 500, 0])
    #expect(reports.map(\.failures.count) == [0, 0, 1_000, 1])
  }

  @Test func `a series of reports ends even with a tiny limit and a very long failure message`() {
    var pending = PendingEngineReport(maximumBytes: 1)
    let long = V1.EngineFailure(streamID: "s", message: String(repeating: "é", count: 1 << 20))
    pending.add(
      RecognitionOutcome(
        attachment: Self.attachment, results: [result(1, bytes: 9)], failures: [long])
    )
    let reports = reports(of: pending)
    #expect(reports.count == 1)
    #expect(reports.first?.failures.map(\.message.count) == [500])
  }

  @Test func `an oversized result is counted, and the result's utterance becomes empty`() {
    var pending = PendingEngineReport(maximumBytes: 64 << 10)
    pending.add(
      outcome([
        result(1, bytes: 70_000, isFinal: false), result(1, bytes: 70_000), result(2, bytes: 10),
      ]))
    #expect(pending.oversizedResults == 2)
    let results = reports(of: pending).flatMap(\.results)
    #expect(results.map(\.utterance) == [1, 2])
    #expect(results.map(\.isFinal) == [true, true])
    #expect(results.map(\.alternatives.count) == [0, 1])
  }
}
