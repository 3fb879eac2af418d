import MeetingModel

// Takes the speech from `media`, and the results from engines.
extension Transcriptions {
  /// The maximum number of samples that the service keeps for a talker.
  var backlogLimit: UInt64 {
    UInt64(rules.maxBacklog / .milliseconds(1)) * SpeechTimeline.samplesPerMillisecond
  }

  // MARK: From `media`

  /// A chunk of one talker's speech.
  struct Chunk: Sendable {
    var speaker: ParticipantIdentity

    /// The time of the first sample, in milliseconds since 1970.
    var start: UInt64
    var samples: [Int16]

    /// The milliseconds of speech that are missing before this chunk.
    var lost: UInt64 = 0

    /// Whether the talker fell silent after this chunk.
    var isLast = false
  }

  /// Processes chunks of a meeting's speech. Each chunk has used one credit.
  ///
  /// - Parameter malformed: The number of additional chunks that were malformed.
  mutating func take(
    _ chunks: [Chunk], malformed: Int = 0, in meeting: MeetingID, at now: ClockReading
  ) {
    guard let transcription = meetings[meeting], transcription.isFollowing else { return }
    meetings[meeting]?.credit.didReceive(chunks.count + malformed)
    var busy: Set<EngineAttachmentID> = []
    for chunk in chunks {
      let id = chunk.speaker.id
      var talker =
        meetings[meeting]?.talkers[id]
        ?? TalkerStream(chunk.speaker, rules.segmenter, at: now.instant)
      talker.speaker = chunk.speaker
      droppedSamples += talker.take(
        chunk.samples, start: chunk.start, lost: chunk.lost, isLast: chunk.isLast,
        number: nextNumber(), limit: backlogLimit, at: now.instant)
      if let engine = talker.place?.engine { busy.insert(engine) }
      meetings[meeting]?.talkers[id] = talker
    }
    assign(meeting, at: now)
    for engine in busy.sorted() { pump(engine, at: now) }
    grant(meeting)
  }

  /// Ends all present utterances, after the stream from `media` ended or restarted.
  mutating func speechBroke(in meeting: MeetingID, at now: ClockReading) {
    guard let talkers = meetings[meeting]?.talkers else { return }
    meetings[meeting]?.credit.reset()
    for id in talkers.keys.sorted() {
      let number = nextNumber()
      meetings[meeting]?.talkers[id]?.endUtterance(number: number)
    }
    assign(meeting, at: now)
    for engine in engines.keys.sorted() { pump(engine, at: now) }
  }

  private mutating func grant(_ meeting: MeetingID) {
    guard let transcription = meetings[meeting], transcription.isFollowing else { return }
    let waiting = transcription.waitingPieces
    if let chunks = meetings[meeting]?.credit.grant(waiting: waiting) {
      act(.grant(meeting, chunks))
    }
  }

  // MARK: From engines

  /// Processes a report of an engine.
  ///
  /// - Returns: The number of dropped results.
  /// - Throws: ``TranscriptionError/unknownEngine``.
  mutating func take(
    _ report: TranscriptionEngineReport, from token: EngineAttachmentID, at now: ClockReading
  ) throws(TranscriptionError) -> Int {
    guard let engine = engines[token] else { throw .unknownEngine }
    engines[token]?.lastReport = now.instant
    engines[token]?.credit = min(engine.credit + report.credit, TranscriptionRules.mostEngineCredit)
    var dropped = report.rejected.count
    for (stream, heard) in report.results where !take(heard, of: stream, from: engine, at: now) {
      dropped += 1
    }
    for rejected in report.rejected { reject(rejected, from: engine, at: now) }
    for fault in report.faults { drop(fault, from: engine, at: now) }
    for (stream, through) in report.progress { note(stream, through: through, from: token) }
    var hasFailed = false
    for failure in report.failures {
      for stream in failure.map({ [$0] }) ?? Array(engine.streams)
      where streams[stream]?.engine == token {
        giveUp(stream, at: now)
        hasFailed = true
      }
    }
    if hasFailed { for meeting in meetings.keys.sorted() { reconsider(meeting, at: now) } }
    pump(token, at: now)
    for meeting in meetings.keys { grant(meeting) }
    return dropped
  }

  /// Processes one result.
  ///
  /// - Returns: Whether this method accepted the result.
  private mutating func take(
    _ heard: EngineResult, of stream: SpeechStreamID, from engine: AttachedEngine,
    at now: ClockReading
  ) -> Bool {
    guard let record = streams[stream], record.engine == engine.token,
      let talker = meetings[record.meeting]?.talkers[record.talker]
    else {
      drop(ResultFault(.unknownStream), from: engine, at: now)
      return false
    }
    let placed = heard.moved(by: record.base)
    let assembly = meetings[record.meeting]?.assembler.take(
      placed, from: stream, through: record.through, talker.timeline, at: now.instant)
    switch assembly {
    case .dropped(let reason):
      reject(
        InvalidEngineResult(
          stream: stream, utterance: heard.utterance,
          isFinal: heard.isFinal && reason != .alreadyFinal, end: heard.end,
          language: heard.language, isTranslation: heard.translatedFrom != nil,
          fault: ResultFault(reason)), from: engine, at: now)
      return false
    case .publish(let results):
      publish(results, in: record.meeting)
    case .unchanged, nil:
      break
    }
    if placed.isFinal, placed.translatedFrom == nil { settle(stream, before: placed.end) }
    return true
  }

  /// Drops an invalid result.
  ///
  /// If the result was the final result of its utterance, the published text becomes final. The
  /// service does not send the utterance's speech to another engine, because that engine would
  /// probably return the same result.
  private mutating func reject(
    _ result: InvalidEngineResult, from engine: AttachedEngine, at now: ClockReading
  ) {
    drop(result.fault, from: engine, at: now)
    guard result.isFinal, let stream = result.stream, let record = streams[stream],
      record.engine == engine.token
    else { return }
    publish(meetings[record.meeting]?.assembler.abandon(result) ?? [], in: record.meeting)
    guard !result.isTranslation, let end = result.end else { return }
    settle(stream, before: min(record.base + end, record.through))
  }

  private mutating func drop(
    _ fault: ResultFault, from engine: AttachedEngine, at now: ClockReading
  ) {
    droppedResults[fault.reason, default: 0] += 1
    guard let count = rejections.note(fault.reason, at: now.instant) else { return }
    act(.noteRejection(engine: engine.description.id, fault, count: count))
  }

  /// Records that the stream's engine no longer needs the speech before a position.
  private mutating func settle(_ stream: SpeechStreamID, before place: UInt64) {
    guard let record = streams[stream],
      meetings[record.meeting]?.talkers[record.talker]?.place?.stream == stream
    else { return }
    settle(record, before: place)
    meetings[record.meeting]?.talkers[record.talker]?.forget(before: place)
  }

  private mutating func note(
    _ stream: SpeechStreamID, through: UInt64, from token: EngineAttachmentID
  ) {
    guard let record = streams[stream], record.engine == token,
      let transcription = meetings[record.meeting],
      let talker = transcription.talkers[record.talker], talker.place?.stream == stream
    else { return }
    let place = min(record.base + through, record.through)
    meetings[record.meeting]?.talkers[record.talker]?.didWork(through: place)
    // Within an utterance, an engine may have processed speech, but may not have recognized the
    // words yet.
    guard let end = talker.endOfUtterance(before: place),
      !transcription.assembler.hasOpenResults(stream, before: end)
    else { return }
    settle(stream, before: end)
  }

  /// Records progress of an engine. If a lost engine left open results behind, the results that
  /// begin before `place` become final.
  private mutating func settle(_ record: EngineStreamAssignment, before place: UInt64) {
    meetings[record.meeting]?.talkers[record.talker]?.didWork(through: place)
    let closed = meetings[record.meeting]?.assembler.closeOrphans(
      of: record.talker, before: place)
    publish(closed ?? [], in: record.meeting)
  }

  /// Removes a stream that an engine gave up. For a time, this engine gets no stream of this
  /// talker.
  private mutating func giveUp(_ stream: SpeechStreamID, at now: ClockReading) {
    guard let record = streams[stream] else { return }
    let until = now.instant + Self.refusal
    meetings[record.meeting]?.talkers[record.talker]?.refusals[record.engine] = until
    lose(stream)
  }

  private static let refusal = Duration.seconds(10)
}

extension EngineResult {
  /// Returns the result with its positions converted to a timeline on which the stream begins at
  /// `base`.
  func moved(by base: UInt64) -> EngineResult {
    var moved = self
    moved.start += base
    moved.end += base
    moved.alternatives = alternatives.map { alternative in
      var alternative = alternative
      alternative.words = alternative.words.map { word in
        var word = word
        word.start += base
        word.end += base
        return word
      }
      return alternative
    }
    return moved
  }
}
