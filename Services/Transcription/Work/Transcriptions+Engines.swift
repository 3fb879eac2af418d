import MeetingModel

// Attaches engines, and assigns talkers to engines.
extension Transcriptions {
  /// Attaches an engine. The engine replaces an attached engine that has the same id.
  ///
  /// - Parameter credit: The number of pieces of speech that the engine accepts.
  mutating func attach(
    _ engine: EngineDescription, credit: Int, at now: ClockReading
  ) throws(TranscriptionError) -> EngineAttachmentID {
    if let older = engines.values.first(where: { $0.description.id == engine.id }) {
      detach(
        older.token,
        Status(
          .aborted,
          "Another engine attached with the same id, \(engine.id); give each engine its own id."),
        at: now)
    }
    guard engines.count < rules.maxEngines else { throw .tooManyEngines(limit: rules.maxEngines) }
    let token = EngineAttachmentID(number: nextNumber())
    engines[token] = AttachedEngine(
      token: token, description: engine, attachedAtMs: now.milliseconds,
      credit: min(credit, TranscriptionRules.mostEngineCredit), lastReport: now.instant)
    let attached = EngineInput.attached(
      instance: instance, maxResultBytes: EngineLimits.reportBytes,
      reportInterval: rules.reportInterval)
    act(.send(token, attached))
    for meeting in meetings.keys.sorted() { reconsider(meeting, at: now) }
    return token
  }

  /// Detaches an engine.
  ///
  /// - Parameter status: The status for the engine; `nil` if the engine cannot receive it.
  mutating func detach(_ token: EngineAttachmentID, _ status: Status? = nil, at now: ClockReading) {
    guard let engine = engines.removeValue(forKey: token) else { return }
    if let status { act(.detach(token, status)) }
    var hit: Set<MeetingID> = []
    for (stream, record) in streams where record.engine == token {
      if engine.streams.contains(stream) { hit.insert(record.meeting) }
      lose(stream)
    }
    for meeting in meetings.keys.sorted() {
      if hit.contains(meeting), meetings[meeting]?.phase == .running {
        let until = now.instant + rules.interruptionLimit
        tell(
          .interrupted,
          "The connection to the engine was lost; the transcription waits for an engine.",
          in: meeting, at: now)
        meetings[meeting]?.phase = .interrupted(until: until)
      }
      reconsider(meeting, at: now)
    }
  }

  mutating func detachSilent(at now: ClockReading) {
    let silence = rules.reportInterval * 3
    for engine in engines.values.sorted(by: { $0.token < $1.token })
    where now.instant - engine.lastReport > silence {
      detach(
        engine.token,
        Status(.deadlineExceeded, "The engine did not report in time; attach it again."), at: now)
    }
  }

  // MARK: Streams

  /// Assigns a meeting's waiting talkers to engines with free capacity.
  mutating func assign(_ meeting: MeetingID, at now: ClockReading) {
    guard let transcription = meetings[meeting], transcription.phase == .running,
      let settings = transcription.settings
    else { return }
    for id in transcription.talkers.keys.sorted() {
      // An earlier iteration of this loop may have freed capacity, and assigned this capacity to a
      // later talker. The later talker then already has a place.
      guard let talker = meetings[meeting]?.talkers[id], talker.place == nil,
        !talker.waiting.isEmpty
      else { continue }
      let spoken = transcription.choices.spoken(by: id)
      let candidates = engines.values.filter { engine in
        settings.suits(engine.description, spoken: spoken)
          && talker.refusals[engine.token].map { $0 <= now.instant } ?? true
      }
      guard let engine = room(at: candidates, now: now) else { continue }
      begin(talker, of: meeting, at: engine, settings, spoken: spoken)
      pump(engine.token, at: now)
    }
  }

  /// Returns the engine with the lowest load. If all engines are full, ends the stream of a pausing
  /// talker, and returns the engine of the ended stream.
  private mutating func room(at candidates: [AttachedEngine], now: ClockReading) -> AttachedEngine?
  {
    let free = candidates.filter { !$0.isFull }
    if let engine = free.min(by: { ($0.load, $0.token) < ($1.load, $1.token) }) { return engine }
    var longest: (silent: ContinuousClock.Instant, stream: SpeechStreamID, engine: AttachedEngine)?
    for engine in candidates.sorted(by: { $0.token < $1.token }) {
      for stream in engine.streams {
        guard let talker = streams[stream].flatMap({ meetings[$0.meeting]?.talkers[$0.talker] }),
          talker.place?.isBetweenUtterances == true, talker.waiting.isEmpty,
          longest.map({ (talker.lastSpeech, stream.text) < ($0.silent, $0.stream.text) }) ?? true
        else { continue }
        longest = (talker.lastSpeech, stream, engine)
      }
    }
    guard let longest else { return nil }
    end(longest.stream, isDiscarded: false, at: now)
    return engines[longest.engine.token]
  }

  private mutating func begin(
    _ talker: TalkerStream, of meeting: MeetingID, at engine: AttachedEngine,
    _ settings: TranscriptionSettings, spoken: LanguageCode?
  ) {
    let stream = SpeechStreamID("\(seed)-s\(nextNumber())")
    let language = settings.language(at: engine.description, spoken: spoken)
    let base = talker.waiting.first?.piece.first ?? talker.timeline.next
    meetings[meeting]?.talkers[talker.speaker.id]?.place = TalkerStream.Place(
      engine: engine.token, stream: stream, language: language, spoken: spoken, through: base)
    meetings[meeting]?.assembler.open(stream, of: talker.speaker, in: language)
    engines[engine.token]?.streams.insert(stream)
    streams[stream] = EngineStreamAssignment(
      meeting: meeting, talker: talker.speaker.id, engine: engine.token, base: base, through: base)
    let started = settings.start(of: stream, in: language, at: engine.description)
    act(.send(engine.token, .streamStarted(started)))
  }

  /// Sends the oldest waiting speech to an engine, until the engine has no credit left.
  mutating func pump(_ token: EngineAttachmentID, at now: ClockReading) {
    let limit = backlogLimit
    while let engine = engines[token], engine.credit > 0, let stream = oldestWaiting(at: engine) {
      guard var record = streams[stream],
        let piece = meetings[record.meeting]?.talkers[record.talker]?.next(keeping: limit)
      else { return }
      record.through = piece.end
      streams[stream] = record
      engines[token]?.credit -= 1
      let audio = EngineAudio(
        stream: stream, firstSample: piece.first - record.base, samples: piece.samples,
        isEndOfUtterance: piece.isEndOfUtterance)
      act(.send(token, .audio(audio)))
      if piece.isEndOfUtterance, engine.isFull, isAwaited(engine, at: now) {
        end(stream, isDiscarded: false, at: now)
        for meeting in meetings.keys.sorted() { assign(meeting, at: now) }
      }
    }
  }

  private func oldestWaiting(at engine: AttachedEngine) -> SpeechStreamID? {
    var oldest: (number: UInt64, stream: SpeechStreamID)?
    for stream in engine.streams {
      guard let record = streams[stream],
        let first = meetings[record.meeting]?.talkers[record.talker]?.waiting.first
      else { continue }
      if oldest.map({ (first.number, stream.text) < ($0.number, $0.stream.text) }) ?? true {
        oldest = (first.number, stream)
      }
    }
    return oldest?.stream
  }

  /// Returns whether a talker without an engine has waiting speech that this engine could process.
  private func isAwaited(_ engine: AttachedEngine, at now: ClockReading) -> Bool {
    meetings.values.contains { transcription in
      guard transcription.phase == .running, let settings = transcription.settings else {
        return false
      }
      return transcription.talkers.values.contains { talker in
        talker.place == nil && !talker.waiting.isEmpty
          && talker.refusals[engine.token].map { $0 <= now.instant } ?? true
          && settings.suits(
            engine.description, spoken: transcription.choices.spoken(by: talker.speaker.id))
      }
    }
  }

  /// Ends a stream. The service sends no more speech to the stream. The service accepts results of
  /// the stream for some time, unless the caller discards these results.
  mutating func end(_ stream: SpeechStreamID, isDiscarded: Bool, at now: ClockReading) {
    guard let record = streams[stream], record.closing == nil else { return }
    act(.send(record.engine, .streamEnded(stream, isDiscarded: isDiscarded)))
    engines[record.engine]?.streams.remove(stream)
    if meetings[record.meeting]?.talkers[record.talker]?.place?.stream == stream {
      meetings[record.meeting]?.talkers[record.talker]?.leave()
    }
    if isDiscarded { return close(stream) }
    let until = now.instant + rules.lateResults
    streams[stream]?.closing = until
  }

  mutating func endStreams(of meeting: MeetingID, areDiscarded: Bool, at now: ClockReading) {
    let ids = streams.filter { $0.value.meeting == meeting }.keys
    for stream in ids.sorted(by: { $0.text < $1.text }) {
      end(stream, isDiscarded: areDiscarded, at: now)
      if areDiscarded { close(stream) }
    }
  }

  /// Closes a stream. The stream's open results become final, and their text does not change.
  private mutating func close(_ stream: SpeechStreamID) {
    guard let record = streams.removeValue(forKey: stream) else { return }
    publish(meetings[record.meeting]?.assembler.close(stream) ?? [], in: record.meeting)
  }

  mutating func closeStreams(at now: ClockReading) {
    for (stream, record) in streams {
      if let closing = record.closing, closing <= now.instant { close(stream) }
    }
  }

  /// Removes a stream after its engine has disappeared or has given up the stream. Speech without a
  /// final result then waits for another engine.
  mutating func lose(_ stream: SpeechStreamID) {
    guard let record = streams[stream] else { return }
    engines[record.engine]?.streams.remove(stream)
    guard record.closing == nil, meetings[record.meeting] != nil else { return close(stream) }
    streams[stream] = nil
    meetings[record.meeting]?.assembler.orphan(stream)
    meetings[record.meeting]?.talkers[record.talker]?.rewind()
  }

  /// Ends the streams of talkers who are silent for ``TranscriptionRules/idleStream``. Removes
  /// talkers who are silent for twice that time.
  mutating func releaseIdle(_ meeting: MeetingID, at now: ClockReading) {
    guard let talkers = meetings[meeting]?.talkers else { return }
    for (id, talker) in talkers {
      let silence = now.instant - talker.lastSpeech
      if let place = talker.place, talker.waiting.isEmpty, silence > rules.idleStream {
        end(place.stream, isDiscarded: false, at: now)
      } else if talker.isIdle, silence > rules.idleStream * 2 {
        publish(meetings[meeting]?.assembler.closeOrphans(of: id) ?? [], in: meeting)
        meetings[meeting]?.talkers[id] = nil
      }
    }
  }
}
