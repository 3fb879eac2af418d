internal import CarillonClient
internal import Foundation
internal import LocalInstallation
internal import MeetingViews
internal import Output
internal import Speaking

/// The steps about live transcription, in the meeting with sound: everybody speaks, and everybody
/// reads who said what. Zoe is a Python client that only reads.
extension DemoScenario {
  func transcripts(_ cast: MediaCast) async {
    let zoe = try? await report.require(.transcriptionStarted) {
      try await startTranscription(cast)
    }
    guard let zoe else {
      for step: DemoStep.Kind in [.speechTranscribed, .transcriptionKilled] {
        report.skip(step, because: "nothing is transcribed")
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
      report.skip(.transcriptionKilled, because: "the services are not the demo's own")
    }
    try? await control.stopTranscription(of: cast.meetingID)
    await zoe.stop()
  }

  /// It is started as an application would, and everybody is told.
  private func startTranscription(_ cast: MediaCast) async throws -> (ProcessWatcher, Record) {
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

  /// Three speak, overlapping in part; everybody reads their words under their names.
  private func speechTranscribed(
    _ cast: MediaCast, _ readers: [TranscriptReader]
  ) async throws -> Record {
    let speech = stage.speech
    var sounds: [[Int16]] = []
    for line in SpokenLine.all { sounds.append(try await speech.say(line.text, voice: line.voice)) }
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
    var detail: Record = [
      "words": JSONValue(direct?.words ?? 0),
      "direct_wer": direct.map { .text($0.rate.twoDigits) } ?? .null,
    ]
    // As good as the engine alone soon, or what it is then: how good is for the benchmark to say.
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

  /// What the same engine makes of the recordings by itself.
  ///
  /// - Returns: `nil` where the engine's program is not beside this one.
  private func directly() async throws -> WordErrorRate? {
    let program = "\(OwnExecutable.directory)/carillon-pocketsphinx"
    guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
    let files = SpokenLine.all.map { "\(stage.folder.path)/\($0.voice).wav" }
    var heard: [String] = []
    // Each speaker has a decoder that does not know the others' voices.
    for file in files {
      heard.append(try await stage.output(of: program, ["recognize", file]).joined(separator: " "))
    }
    return .sum(
      zip(heard, SpokenLine.all).map { WordErrorRate(of: $0, beside: $1.text) })
  }

  /// What one reader has read since a mark, once it is as good as it can be, or at the time given;
  /// then as soon as most words of everybody are there, or 20 s later.
  ///
  /// Words that are missing or wrong are no failure: a busy machine may lose speech. What fails is
  /// a speaker of whom nothing is understood, and words under another's name.
  private func text(
    of reader: TranscriptReader, since mark: Int, _ cast: MediaCast, best: Float,
    until settled: ContinuousClock.Instant
  ) async throws -> SpokenText {
    @Sendable func text(_ reader: TranscriptReader) -> SpokenText {
      SpokenText(
        lines: SpokenLine.all,
        heard: cast.everybody.map { reader.text(by: $0.attendeeID, since: mark) })
    }
    try? await Self.wait(reader, "what was said", within: max(settled - .now, .zero)) {
      text($0).rate.rate <= best
    }
    try? await Self.wait(reader, "what was said", within: .seconds(20)) {
      text($0).isMostlyUnderstood
    }
    let read = text(reader)
    if let fault = read.fault {
      throw CommandFailure(
        code: "NOT_UNDERSTOOD", message: "\(reader.name) reads \(read.heard): \(fault).")
    }
    return read
  }

  /// How soon results came, over all readers; out of order, or none while it is said, is a failure.
  private func addTimes(
    of readers: [TranscriptReader], _ cast: MediaCast, to detail: inout Record
  ) throws {
    let speakers = cast.everybody.map(\.attendeeID)
    let partial = readers.flatMap { reader in speakers.compactMap(reader.firstPartialMs) }.max()
    let final = readers.flatMap { reader in speakers.compactMap(reader.finalMs) }.max()
    detail["first_partial_ms"] = JSONValue(partial ?? -1)
    detail["final_ms"] = JSONValue(final ?? -1)
    for reader in readers where !reader.isInOrder {
      throw CommandFailure(
        code: "OUT_OF_ORDER", message: "\(reader.name) read more behind a final result.")
    }
    guard partial != nil else {
      throw CommandFailure(code: "LATE", message: "There was no result while it was being said.")
    }
  }

  /// The service is killed; what is said afterwards is read by everybody, and nothing twice.
  private func transcriptionKilled(
    _ cast: MediaCast, _ readers: [TranscriptReader], _ installation: Installation
  ) async throws -> Record {
    let (ada, line) = (cast.everybody[0], SpokenLine.all[0])
    let killed = ContinuousClock.now
    _ = try await kill("transcription", of: installation)
    let speech = stage.speech
    let sound = try await speech.say(line.text, voice: line.voice)
    let before = readers.map { $0.text(by: ada.attendeeID).count }
    var attempts = 0
    // Nobody is told when speech arrives again: she repeats herself.
    while attempts < 8 {
      attempts += 1
      await ada.mouth.say(sound)
      let isRead = await withTaskGroup(of: Bool.self) { tasks in
        for (reader, old) in zip(readers, before) {
          tasks.addTask {
            (try? await Self.wait(reader, "Ada again", within: .seconds(8)) {
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
        code: "DEADLINE_EXCEEDED", message: "\(reader.name) reads nothing any more.")
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
      try await Task.sleep(for: .milliseconds(20))  // Several journals are looked at together.
    }
  }
}
