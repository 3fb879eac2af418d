import MeetingModel

// Answers requests of gateways and operators.
extension Transcriptions {
  /// Sets the language that a session reads, and the language that the session's attendee speaks.
  ///
  /// - Returns: Whether an engine can now provide the reading language.
  @discardableResult
  mutating func set(
    _ choice: LanguageChoices.Choice, in meeting: MeetingID, at now: ClockReading
  ) throws(TranscriptionError) -> Bool {
    var transcription = try open(meeting)
    try transcription.choices.set(choice)
    meetings[meeting] = transcription
    applySpokenLanguages(in: meeting, at: now)
    return choice.view.map { isOffered($0, in: meeting) } ?? true
  }

  /// Removes the languages of an ended session.
  mutating func leave(_ session: SessionID, in meeting: MeetingID, at now: ClockReading) {
    meetings[meeting]?.choices.remove(session)
    applySpokenLanguages(in: meeting, at: now)
  }

  /// Ends the streams of talkers whose spoken language has changed. These talkers get new streams.
  private mutating func applySpokenLanguages(in meeting: MeetingID, at now: ClockReading) {
    guard let transcription = meetings[meeting] else { return }
    for (id, talker) in transcription.talkers {
      guard let place = talker.place, place.spoken != transcription.choices.spoken(by: id) else {
        continue
      }
      end(place.stream, isDiscarded: false, at: now)
    }
    assign(meeting, at: now)
  }

  private func isOffered(_ view: LanguageCode, in meeting: MeetingID) -> Bool {
    guard let transcription = meetings[meeting], let settings = transcription.settings else {
      return false
    }
    return engines.values.contains { engine in
      let engine = engine.description
      let chosen = transcription.choices.spokenLanguages.filter {
        settings.suits(engine, spoken: $0)
      }
      let usual = settings.suits(engine) ? settings.language(at: engine, spoken: nil) : nil
      return chosen.union(usual.map { [$0] } ?? []).contains { spoken in
        view.covers(spoken)
          || settings.translations.contains(view) && engine.translates(spoken, to: view)
      }
    }
  }

  /// Returns the status and the open results of a meeting; `nil` for an unknown meeting.
  ///
  /// - Parameter reader: The participant whose languages select the results; `nil` for all results
  ///   in the spoken language.
  func snapshot(
    of meeting: MeetingID, for reader: ParticipantID? = nil
  ) -> TranscriptSnapshot? {
    guard let transcription = meetings[meeting] else { return nil }
    let open = transcription.assembler.openResults.filter { result in
      guard let reader else { return !result.isTranslation }
      return switch transcription.choices.audience(of: result) {
      case .everybody: true
      case .only(let readers): readers.contains(reader)
      case .except(let others): !others.contains(reader)
      }
    }
    return TranscriptSnapshot(
      status: transcription.status, open: open.map(\.result), choices: transcription.choices.all)
  }

  /// Returns the state of a meeting's transcription; `nil` for an unknown meeting.
  func state(of meeting: MeetingID) -> TranscriptionState? {
    guard let transcription = meetings[meeting] else { return nil }
    let talkers = transcription.talkers.values.sorted { $0.speaker.id < $1.speaker.id }
    return TranscriptionState(
      settings: transcription.settings, status: transcription.status,
      talkers: talkers.map { talker in
        TalkerState(
          speaker: talker.speaker,
          engine: talker.place.flatMap { engines[$0.engine]?.description.id },
          language: talker.place?.language,
          backlogMs: talker.backlogSamples / SpeechTimeline.samplesPerMillisecond,
          droppedMs: talker.droppedSamples / SpeechTimeline.samplesPerMillisecond)
      })
  }

  /// The engines in the order of their attachment.
  var engineList: [EngineState] {
    engines.values.sorted { $0.token < $1.token }.map { engine in
      EngineState(
        description: engine.description, streams: engine.streams.count,
        backlogMs: backlogSamples(of: engine) / SpeechTimeline.samplesPerMillisecond,
        attachedAtMs: engine.attachedAtMs)
    }
  }

  private func backlogSamples(of engine: AttachedEngine) -> UInt64 {
    let talkers = engine.streams.compactMap { stream in
      streams[stream].flatMap { meetings[$0.meeting]?.talkers[$0.talker] }
    }
    return talkers.reduce(0) { $0 + $1.backlogSamples }
  }

  /// The longest backlog of a talker, in milliseconds.
  var longestBacklog: UInt64 {
    let samples = meetings.values.flatMap { $0.talkers.values.map(\.backlogSamples) }.max() ?? 0
    return samples / SpeechTimeline.samplesPerMillisecond
  }
}
