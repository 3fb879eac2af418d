internal import CarillonClient
internal import Foundation
internal import LocalInstallation
internal import MeetingViews
internal import Output
internal import Speaking

/// The steps about live transcription, in the meeting with sound.
///
/// All attendees speak, and all clients receive the transcript. Zoe is a Python client that only
/// reads.
extension DemoScenario {
  func transcripts(_ cast: DemoMediaMeeting) async {
    let zoe = try? await report.require(.transcriptionStarted) {
      try await startTranscription(cast)
    }
    guard let zoe else {
      for step: DemoStepResult.Step in [.speechTranscribed, .transcriptionKilled] {
        report.skip(step, because: "transcription did not start")
      }
      return
    }
    let readers = cast.everybody.map(\.transcript) + [zoe.transcript]
    await report.check(.speechTranscribed) { try await speechTranscribed(cast, readers) }
    if let installation = house.installation {
      await report.check(.transcriptionKilled) {
        try await transcriptionKilled(cast, readers, installation)
      }
    } else {
      report.skip(.transcriptionKilled, because: "the demo did not start the services")
    }
    try? await control.stopTranscription(of: cast.meetingID)
    await zoe.stop()
  }

  /// Starts transcription over the REST interface, and checks that all clients receive a
  /// notification.
  private func startTranscription(_ cast: DemoMediaMeeting) async throws -> (
    SubprocessClient, OutputRecord
  ) {
    let attendee = try await createAttendee("zoe", in: cast.meeting)
    let zoe = try python(.transcripts, attendee)
    try await zoe.start()
    let start = ContinuousClock.now
    try await control.startTranscription(of: cast.meetingID, languageCode: "en-US")
    for reader in cast.everybody.map(\.transcript) + [zoe.transcript] {
      try await Self.wait(reader, "transcription has started", within: .seconds(60)) {
        $0.statuses.contains("started")
      }
    }
    return (zoe, ["after_ms": JSONValue((ContinuousClock.now - start).milliseconds)])
  }

  /// Checks that every client receives the words of three overlapping speakers, each under the
  /// right speaker's name.
  private func speechTranscribed(
    _ cast: DemoMediaMeeting, _ readers: [TranscriptReader]
  ) async throws -> OutputRecord {
    let speech = stage.speech
    var sounds: [[Int16]] = []
    for line in DemoSentence.all {
      sounds.append(try await speech.say(line.text, voice: line.voice))
    }
    let direct = try await directly()
    let marks = readers.map(\.entries.count)
    await withTaskGroup { tasks in
      for (index, (speaker, sound)) in zip(cast.everybody, sounds).enumerated() {
        tasks.addTask {
          try? await Task.sleep(for: Duration.milliseconds(1500) * index)
          await speaker.mouth.say(sound)
        }
      }
    }
    var detail: OutputRecord = [
      "words": JSONValue(direct?.words ?? 0),
      "direct_wer": direct.map { .text($0.rate.twoDigits) } ?? .null,
    ]
    // In a meeting, the text should be about as good as the engine's result without a meeting. This
    // step waits for such a text, but does not require it: a benchmark measures the quality.
    let best = (direct?.rate ?? 0.12) + 0.05
    let settled = ContinuousClock.now + .seconds(8)
    for (reader, mark) in zip(readers, marks) {
      let text = try await self.text(
        of: reader, since: mark, cast, best: best, until: settled)
      detail["\(reader.name)_wer"] = .text(text.rate.rate.twoDigits)
      guard text.rate.rate > best else { continue }
      detail["\(reader.name)_reads"] = .text(text.heard.joined(separator: " | "))
    }
    try addTimes(of: readers, cast, to: &detail)
    return detail
  }

  /// Runs the same engine directly on the recordings, without a meeting.
  ///
  /// - Returns: The error rate; `nil` if the engine's program is not in the directory of this
  ///   program.
  private func directly() async throws -> WordErrorRate? {
    let program = "\(OwnExecutable.directory)/carillon-pocketsphinx"
    guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
    let files = DemoSentence.all.map { "\(stage.folder.path)/\($0.voice).wav" }
    var heard: [String] = []
    // A decoder adapts to the voice that it hears, so each speaker gets a new decoder.
    for file in files {
      heard.append(try await stage.output(of: program, ["recognize", file]).joined(separator: " "))
    }
    return .sum(
      zip(heard, DemoSentence.all).map { WordErrorRate(of: $0, beside: $1.text) })
  }

  /// Returns the text that one reader received since a mark.
  ///
  /// Waits for a text with an error rate of at most `best`, but only until the time `settled`.
  /// After that, waits up to 20 s for most words of all speakers.
  ///
  /// Missing or wrong words are not a failure, because a busy machine may lose speech. The step
  /// fails if the engine recognises no word of a speaker, or if the transcript attributes words to
  /// another speaker.
  private func text(
    of reader: TranscriptReader, since mark: Int, _ cast: DemoMediaMeeting, best: Float,
    until settled: ContinuousClock.Instant
  ) async throws -> SpeakerTexts {
    @Sendable func text(_ reader: TranscriptReader) -> SpeakerTexts {
      SpeakerTexts(
        lines: DemoSentence.all,
        heard: cast.everybody.map { reader.text(by: $0.attendeeID, since: mark) })
    }
    try? await Self.wait(reader, "the words of all speakers", within: max(settled - .now, .zero)) {
      text($0).rate.rate <= best
    }
    try? await Self.wait(reader, "the words of all speakers", within: .seconds(20)) {
      text($0).isMostlyUnderstood
    }
    let read = text(reader)
    if let fault = read.fault {
      throw CommandFailure(
        code: "NOT_UNDERSTOOD", message: "\(reader.name) reads \(read.heard): \(fault).")
    }
    return read
  }

  /// Adds the longest delays of results, over all readers, to the record, and checks the order of
  /// the results.
  ///
  /// - Throws: ``CommandFailure`` if results are out of order, or none arrived during speech.
  private func addTimes(
    of readers: [TranscriptReader], _ cast: DemoMediaMeeting, to detail: inout OutputRecord
  ) throws {
    let speakers = cast.everybody.map(\.attendeeID)
    let partial = readers.flatMap { reader in speakers.compactMap(reader.firstPartialMs) }.max()
    let final = readers.flatMap { reader in speakers.compactMap(reader.finalMs) }.max()
    detail["first_partial_ms"] = JSONValue(partial ?? -1)
    detail["final_ms"] = JSONValue(final ?? -1)
    for reader in readers where !reader.isInOrder {
      throw CommandFailure(
        code: "OUT_OF_ORDER", message: "\(reader.name) read a later revision of a final result.")
    }
    guard partial != nil else {
      throw CommandFailure(code: "LATE", message: "No result arrived during the speech.")
    }
  }

  /// Kills the service, and checks that every client then receives the transcript of Ada's next
  /// words.
  private func transcriptionKilled(
    _ cast: DemoMediaMeeting, _ readers: [TranscriptReader], _ installation: Installation
  ) async throws -> OutputRecord {
    let (ada, line) = (cast.everybody[0], DemoSentence.all[0])
    let killed = ContinuousClock.now
    _ = try await kill("transcription", of: installation)
    let speech = stage.speech
    let sound = try await speech.say(line.text, voice: line.voice)
    let before = readers.map { $0.text(by: ada.attendeeID).count }
    var attempts = 0
    // Nothing signals that `transcription` has resumed, so Ada repeats her words.
    while attempts < 8 {
      attempts += 1
      await ada.mouth.say(sound)
      let isRead = await withTaskGroup(of: Bool.self) { tasks in
        for (reader, old) in zip(readers, before) {
          tasks.addTask {
            (try? await Self.wait(reader, "new words of Ada", within: .seconds(8)) {
              $0.text(by: ada.attendeeID).count > old + line.text.count / 4
            }) != nil
          }
        }
        return await tasks.reduce(true) { $0 && $1 }
      }
      guard !isRead else { break }
    }
    for (reader, old) in zip(readers, before)
    where reader.text(by: ada.attendeeID).count <= old + line.text.count / 4 {
      throw CommandFailure(
        code: "DEADLINE_EXCEEDED", message: "\(reader.name) reads no new words.")
    }
    return [
      "tries": JSONValue(attempts),
      "read_after_ms": JSONValue((ContinuousClock.now - killed).milliseconds),
    ]
  }

  private static func wait(
    _ reader: TranscriptReader, _ what: String, within limit: Duration,
    until isSo: @Sendable (TranscriptReader) -> Bool
  ) async throws {
    let deadline = ContinuousClock.now + limit
    while !isSo(reader) {
      guard .now < deadline else {
        throw CommandFailure(
          code: "DEADLINE_EXCEEDED",
          message: "\(reader.name) did not read within \(limit): \(what); "
            + "it read \(reader.statuses) \(reader.entries.suffix(5).map(\.result.text)).")
      }
      try await Task.sleep(for: .milliseconds(20))  // Polls several journals together.
    }
  }
}
