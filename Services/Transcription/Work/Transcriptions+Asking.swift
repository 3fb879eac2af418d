import MeetingModel
import Wire

// What gateways and operators ask.
extension Transcriptions {
  /// Which language a session reads, and which its attendee speaks.
  ///
  /// - Returns: Whether an engine can deliver the language to read now.
  @discardableResult
  mutating func set(
    _ choice: LanguageChoices.Choice, in meeting: MeetingID, at now: Moment
  ) throws(TranscriptionError) -> Bool {
    var transcription = try open(meeting)
    try transcription.choices.set(choice)
    meetings[meeting] = transcription
    applySpokenLanguages(in: meeting, at: now)
    return choice.view.map { isOffered($0, in: meeting) } ?? true
  }

  /// A session ended: its languages are forgotten.
  mutating func leave(_ session: SessionID, in meeting: MeetingID, at now: Moment) {
    meetings[meeting]?.choices.remove(session)
    applySpokenLanguages(in: meeting, at: now)
  }

  /// Who is heard as something else from now on begins a new stream.
  private mutating func applySpokenLanguages(in meeting: MeetingID, at now: Moment) {
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

  /// What runs and what is being said; the position is filled in by whoever numbers events.
  ///
  /// - Parameter reader: Whose languages count; `nil`: everything that was spoken.
  func snapshot(of meeting: MeetingID, for reader: ParticipantID? = nil) -> V1.TranscriptSnapshot {
    guard let transcription = meetings[meeting] else {
      return V1.TranscriptSnapshot(meetingID: meeting.text)
    }
    let open = transcription.assembler.openResults.filter { result in
      guard let reader else { return !result.isTranslation }
      return switch transcription.choices.audience(of: result) {
      case .everybody: true
      case .only(let readers): readers.contains(reader)
      case .except(let others): !others.contains(reader)
      }
    }
    return V1.TranscriptSnapshot(
      meetingID: meeting.text, status: transcription.status,
      open: V1.Transcript(results: open.map(\.result)),
      sessions: transcription.choices.all.map { $0.wire(in: meeting) })
  }

  /// How a meeting's transcription is.
  func state(of meeting: MeetingID) -> V1.TranscriptionState {
    guard let transcription = meetings[meeting] else {
      return V1.TranscriptionState(meetingID: meeting.text)
    }
    let talkers = transcription.talkers.values.sorted { $0.speaker.id < $1.speaker.id }
    let states = talkers.map { talker in
      V1.TalkerState(
        attendee: V1.AttendeeInfo(
          attendeeID: talker.speaker.id.text, externalUserID: talker.speaker.externalUserID.text),
        engineID: talker.place.flatMap { engines[$0.engine]?.description.id } ?? "",
        languageCode: talker.place?.language?.text ?? "",
        backlogMs: UInt32(
          clamping: talker.backlogSamples / SpeechTimeline.samplesPerMillisecond),
        droppedMs: talker.droppedSamples / SpeechTimeline.samplesPerMillisecond)
    }
    return V1.TranscriptionState(
      meetingID: meeting.text, isRunning: transcription.settings != nil,
      configuration: transcription.settings?.configuration, status: transcription.status,
      talkers: states, backlogMs: states.map(\.backlogMs).max() ?? 0)
  }

  /// The engines in the order they attached.
  var engineList: [V1.AttachedEngine] {
    engines.values.sorted { $0.token < $1.token }.map { engine in
      V1.AttachedEngine(
        engineID: engine.description.id, instance: instance,
        capabilities: engine.description.capabilities, streams: UInt32(engine.streams.count),
        backlogMs: UInt32(
          clamping: backlogSamples(of: engine) / SpeechTimeline.samplesPerMillisecond),
        attachedAtMs: engine.attachedAt)
    }
  }

  private func backlogSamples(of engine: AttachedEngine) -> UInt64 {
    let talkers = engine.streams.compactMap { stream in
      streams[stream].flatMap { meetings[$0.meeting]?.talkers[$0.talker] }
    }
    return talkers.reduce(0) { $0 + $1.backlogSamples }
  }

  /// Speech that waits, in milliseconds: the longest of all talkers.
  var longestBacklog: UInt64 {
    let samples = meetings.values.flatMap { $0.talkers.values.map(\.backlogSamples) }.max() ?? 0
    return samples / SpeechTimeline.samplesPerMillisecond
  }
}
