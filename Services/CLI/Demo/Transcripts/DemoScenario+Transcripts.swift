internal import CarillonClient
internal import Foundation

/// The steps about live transcription, in the meeting with sound: everybody speaks, and everybody
/// reads who said what. Zoe is a Python client that only reads.
extension DemoScenario {
  func transcripts(_ cast: MediaCast) async {
    let zoe = try? await report.require("transcription-started") {
      try await startTranscription(cast)
    }
    guard let zoe else {
      for step in ["speech-transcribed", "transcription-killed"] {
        report.skip(step, because: "nothing is transcribed")
      }
      return
    }
    let readers = cast.everybody.map(\.transcript) + [zoe.transcript]
    await report.check("speech-transcribed") { try await speechTranscribed(cast, readers) }
    if let installation = house.installation {
      await report.check("transcription-killed") {
        try await transcriptionKilled(cast, readers, installation)
      }
    } else {
      report.skip("transcription-killed", because: "the services are not the demo's own")
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
      try await Self.wait(reader, "transcription has started", within: .seconds(20)) {
        $0.statuses.contains("started")
      }
    }
    return (zoe, ["after_ms": JSONValue((ContinuousClock.now - start).milliseconds)])
  }

  /// Three speak, overlapping in part; everybody reads their words under their names.
  private func speechTranscribed(
    _ cast: MediaCast, _ readers: [TranscriptReader]
  ) async throws -> Record {
    let speech = Speech(stage: stage)
    var sounds: [[Int16]] = []
    for line in SpokenLine.all { sounds.append(try await speech.say(line.text, voice: line.voice)) }
    let direct = try await directly()
    await withTaskGroup { tasks in
      for (index, (speaker, sound)) in zip(cast.everybody, sounds).enumerated() {
        tasks.addTask {
          try? await Task.sleep(for: Duration.milliseconds(1500) * index)
          await speaker.mouth.say(sound)
        }
      }
    }
    let allowed = (direct?.rate ?? 0.12) + 0.05
    var detail: Record = [
      "words": JSONValue(direct?.words ?? 0),
      "direct_wer": direct.map { .text($0.rate.twoDigits) } ?? .null,
    ]
    for reader in readers {
      let rate = try await self.rate(of: reader, cast, atMost: allowed)
      detail["\(reader.name)_wer"] = .text(rate.rate.twoDigits)
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
    let heard = try await stage.output(of: program, ["recognize"] + files)
    guard heard.count == files.count else {
      throw CommandFailure(code: "UNAVAILABLE", message: "The engine alone heard \(heard).")
    }
    return .sum(
      zip(heard, SpokenLine.all).map { WordErrorRate(of: $0, beside: $1.text) })
  }

  /// The word error rate of what one reader has, as soon as it is good enough.
  private func rate(
    of reader: TranscriptReader, _ cast: MediaCast, atMost allowed: Float
  ) async throws -> WordErrorRate {
    @Sendable func current(_ reader: TranscriptReader) -> WordErrorRate {
      .sum(
        zip(cast.everybody, SpokenLine.all).map { speaker, line in
          WordErrorRate(of: reader.text(by: speaker.attendeeID), beside: line.text)
        })
    }
    try? await Self.wait(reader, "what was said", within: .seconds(10)) {
      current($0).rate <= allowed
    }
    let rate = current(reader)
    guard rate.rate <= allowed else {
      let texts = cast.everybody.map { reader.text(by: $0.attendeeID) }
      throw CommandFailure(
        code: "NOT_UNDERSTOOD",
        message: "\(reader.name) reads \(texts): a word error rate of \(rate.rate), "
          + "where \(allowed) is allowed.")
    }
    return rate
  }

  /// How soon results came, over all readers; too late or out of order is a failure.
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
        code: "OUT_OF_ORDER", message: "\(reader.name) read a final result before a partial one.")
    }
    // Nothing is read before it was said. Three times what it takes on a machine that does nothing else.
    let (soonest, latest) = (Int64(-200), (partial: Int64(3 * 1500), final: Int64(3 * 2000)))
    guard let partial, (soonest...latest.partial).contains(partial),
      let final, (soonest...latest.final).contains(final)
    else {
      throw CommandFailure(
        code: "LATE",
        message: "The latest first partial result came after \(partial ?? -1) ms, "
          + "the latest final one after \(final ?? -1) ms.")
    }
  }

  /// The service is killed; what is said afterwards is read by everybody, and nothing twice.
  private func transcriptionKilled(
    _ cast: MediaCast, _ readers: [TranscriptReader], _ installation: Installation
  ) async throws -> Record {
    let (ada, line) = (cast.everybody[0], SpokenLine.all[0])
    let killed = ContinuousClock.now
    _ = try await kill("transcription", of: installation)
    let speech = Speech(stage: stage)
    let sound = try await speech.say(line.text, voice: line.voice)
    let before = readers.map { $0.text(by: ada.attendeeID).count }
    var attempts = 0
    // Nobody is told when speech arrives again: she repeats herself.
    while attempts < 4 {
      attempts += 1
      await ada.mouth.say(sound)
      let isRead = await withTaskGroup(of: Bool.self) { tasks in
        for (reader, old) in zip(readers, before) {
          tasks.addTask {
            (try? await Self.wait(reader, "Ada again", within: .seconds(6)) {
              $0.text(by: ada.attendeeID).count > old + line.text.count / 2
            }) != nil
          }
        }
        return await tasks.reduce(true) { $0 && $1 }
      }
      guard !isRead else { break }
    }
    for (reader, old) in zip(readers, before)
    where reader.text(by: ada.attendeeID).count <= old + line.text.count / 2 {
      throw CommandFailure(
        code: "DEADLINE_EXCEEDED", message: "\(reader.name) reads nothing any more.")
    }
    return [
      "spoken_times": JSONValue(attempts),
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
