import MeetingModel

/// Assembles a meeting's transcript from the engines' results.
///
/// An utterance is one result: partial revisions with one id, and then one final revision. No
/// revision follows the final revision. Within a stream, utterances begin in the order of time.
/// When an engine is lost, its open results wait. Another engine gets the same speech, and
/// continues these results with the same ids. So readers get a further revision of each result, and
/// not a second result.
struct TranscriptAssembler: Sendable {
  /// The rules for the text of results that arrive from now on.
  var rules = TranscriptTextRules()

  /// The prefix of all result ids. Each start of the service uses a different prefix.
  private let prefix: String
  private var lastID: UInt64 = 0
  private var streams: [SpeechStreamID: Stream] = [:]

  /// The open results of lost engines, by talker.
  private var orphans: [ParticipantID: [PartialResult]] = [:]
  private var channels: [ParticipantID: Int] = [:]

  private struct Stream: Sendable {
    let speaker: ParticipantIdentity
    let language: LanguageCode?
    var open: [Key: PartialResult] = [:]

    /// The number of the newest utterance. `newestStart` is the start of this utterance.
    var newest: UInt64 = 0
    var newestStart: UInt64 = 0

    /// The final utterances among the last ``window`` utterances.
    var final: Set<Key> = []
  }

  private struct Key: Hashable, Sendable {
    let utterance: UInt64

    /// The language of a translation; `nil` for the original text, because its language may be
    /// unknown at first.
    let translation: LanguageCode?
  }

  /// The maximum number of open utterances of a stream.
  ///
  /// An utterance that is this far behind the newest utterance can no longer become final.
  static let window: UInt64 = 32

  /// The minimum time between partial results with one id.
  ///
  /// The assembler skips a partial result that arrives before this time has passed. It never skips
  /// a final result.
  static let partialInterval = Duration.milliseconds(100)

  /// - Parameter prefix: At most 40 characters that no other assembler uses.
  init(prefix: String) { self.prefix = prefix }

  // MARK: Streams

  /// Opens a stream from a talker to an engine.
  mutating func open(
    _ stream: SpeechStreamID, of speaker: ParticipantIdentity, in language: LanguageCode?
  ) {
    streams[stream] = Stream(speaker: speaker, language: language)
    if channels[speaker.id] == nil { channels[speaker.id] = channels.count }
  }

  /// Returns whether a stream has open results that begin before a position.
  func hasOpenResults(_ stream: SpeechStreamID, before sample: UInt64) -> Bool {
    streams[stream]?.open.values.contains { $0.start < sample } ?? false
  }

  /// Closes a stream. The stream's open results become final, and their text does not change.
  mutating func close(_ stream: SpeechStreamID) -> [AssembledResult] {
    guard let closed = streams.removeValue(forKey: stream) else { return [] }
    return Self.ordered(closed.open.values).compactMap { $0.closed() }
  }

  /// Removes the stream of a lost engine. The stream's open results wait until another engine
  /// recognizes the same speech.
  mutating func orphan(_ stream: SpeechStreamID) {
    guard let lost = streams.removeValue(forKey: stream) else { return }
    let open = Self.ordered(lost.open.values).filter { $0.published != nil }
    if !open.isEmpty { orphans[lost.speaker.id, default: []] += open }
  }

  /// Makes some open results of a talker final: the results that a lost engine left behind and that
  /// begin before a position.
  mutating func closeOrphans(
    of talker: ParticipantID, before sample: UInt64 = .max
  ) -> [AssembledResult] {
    guard let waiting = orphans[talker] else { return [] }
    let kept = waiting.filter { $0.start >= sample }
    orphans[talker] = kept.isEmpty ? nil : kept
    return waiting.filter { $0.start < sample }.compactMap { $0.closed() }
  }

  /// Makes all open results final. Their text does not change.
  mutating func closeAll() -> [AssembledResult] {
    let open = streams.values.flatMap(\.open.values) + orphans.values.joined()
    streams = [:]
    orphans = [:]
    return Self.ordered(open).compactMap { $0.closed() }
  }

  /// The published results that are not final, oldest first.
  var openResults: [AssembledResult] {
    Self.ordered(streams.values.flatMap(\.open.values) + orphans.values.joined()).compactMap {
      open in
      open.published.map {
        AssembledResult(result: $0, language: open.language, isTranslation: open.isTranslation)
      }
    }
  }

  private static func ordered(_ results: some Sequence<PartialResult>) -> [PartialResult] {
    results.sorted { ($0.start, $0.id) < ($1.start, $1.id) }
  }

  // MARK: Results

  /// Processes a result of an engine.
  ///
  /// - Parameters:
  ///   - through: The end of the speech that the service has sent to the engine.
  ///   - timeline: The talker's timeline.
  mutating func take(
    _ heard: EngineResult, from id: SpeechStreamID, through: UInt64, _ timeline: SpeechTimeline,
    at now: ContinuousClock.Instant
  ) -> EngineResultDecision {
    guard var stream = streams[id] else { return .dropped(.unknownStream) }
    let language = heard.language ?? stream.language
    let key = Key(
      utterance: heard.utterance, translation: heard.translatedFrom == nil ? nil : language)
    if let reason = Self.refusal(of: heard, key, in: stream, through: through) {
      return .dropped(reason)
    }
    if heard.utterance > stream.newest {
      (stream.newest, stream.newestStart) = (heard.utterance, heard.start)
      stream.final = stream.final.filter { $0.utterance + Self.window > heard.utterance }
    }
    var results: [AssembledResult] = []
    var open: PartialResult
    if let known = stream.open[key] {
      open = known
    } else {
      open = begin(heard, key, of: stream.speaker.id, withdrawn: &results)
    }
    (open.language, open.start, open.end) = (language, heard.start, heard.end)
    open.hear(heard.alternatives.first?.words.map(\.content) ?? [])
    let revision = revise(&open, with: heard, of: stream.speaker, timeline, at: now)
    if let revision { results.append(revision) }
    if heard.isFinal {
      stream.open[key] = nil
      stream.final.insert(key)
    } else {
      stream.open[key] = open
    }
    streams[id] = stream
    return results.isEmpty ? .unchanged : .publish(results)
  }

  /// Ends an utterance after the assembler has rejected the utterance's final result. The published
  /// text becomes final.
  mutating func abandon(_ result: InvalidEngineResult) -> [AssembledResult] {
    guard let id = result.stream, let stream = streams[id] else { return [] }
    let key = Key(
      utterance: result.utterance,
      translation: result.isTranslation ? result.language ?? stream.language : nil)
    guard let open = streams[id]?.open.removeValue(forKey: key) else { return [] }
    streams[id]?.final.insert(key)
    return open.closed().map { [$0] } ?? []
  }

  private static func refusal(
    of heard: EngineResult, _ key: Key, in stream: Stream, through: UInt64
  ) -> ResultDropReason? {
    if stream.final.contains(key) || heard.utterance + window <= stream.newest {
      return .alreadyFinal
    }
    if heard.end > through { return .beyondSpeech }
    if heard.utterance > stream.newest, heard.start < stream.newestStart { return .backwards }
    for alternative in heard.alternatives
    where zip(alternative.words, alternative.words.dropFirst()).contains(where: {
      $0.start > $1.start
    }) {
      return .backwards
    }
    if stream.open[key] == nil, stream.open.count >= Int(window) { return .tooManyOpen }
    return nil
  }

  /// Returns a new result, or an open result that a lost engine left behind.
  ///
  /// - Parameter withdrawn: Receives the other open results that a lost engine left behind and that
  ///   overlap this result.
  private mutating func begin(
    _ heard: EngineResult, _ key: Key, of talker: ParticipantID,
    withdrawn: inout [AssembledResult]
  ) -> PartialResult {
    let isTranslation = heard.translatedFrom != nil
    var claimed: PartialResult?
    orphans[talker]?.removeAll { orphan in
      guard orphan.start < heard.end, heard.start < orphan.end,
        orphan.isTranslation == isTranslation,
        !isTranslation || orphan.language == key.translation
      else { return false }
      if claimed == nil {
        claimed = orphan
      } else if let closed = orphan.closed(isWithdrawn: true) {
        withdrawn.append(closed)
      }
      return true
    }
    if orphans[talker]?.isEmpty == true { orphans[talker] = nil }
    if let claimed { return claimed }
    lastID += 1
    return PartialResult(
      id: "\(prefix)-\(lastID)", language: heard.language, isTranslation: isTranslation,
      start: heard.start, end: heard.end)
  }

  /// Creates the next revision of a result.
  ///
  /// - Returns: The revision; `nil` if the revision would change nothing for readers.
  private func revise(
    _ open: inout PartialResult, with heard: EngineResult, of speaker: ParticipantIdentity,
    _ timeline: SpeechTimeline, at now: ContinuousClock.Instant
  ) -> AssembledResult? {
    if !heard.isFinal {
      let isEarly = open.publishedAt.map { now - $0 < Self.partialInterval } ?? false
      let isEmpty = heard.alternatives.first?.words.isEmpty ?? true
      guard !isEarly, !isEmpty, !rules.withholdsPartials else { return nil }
    }
    // The assembler drops a result that has no text and that it never published.
    if heard.alternatives.isEmpty, open.published == nil { return nil }
    let composer = TranscriptFormatter(
      speaker: speaker, timeline: timeline, rules: rules, language: open.language)
    let start = timeline.milliseconds(at: heard.start)
    var result = TranscriptResult(
      resultID: open.id, channelID: "ch_\(channels[speaker.id] ?? 0)", isPartial: !heard.isFinal,
      startMs: start,
      endMs: max(start, timeline.milliseconds(endingAt: heard.end)),
      alternatives: composer.alternatives(of: heard, ages: open.ages, isFinal: heard.isFinal),
      language: open.language, identification: heard.identification,
      translatedFrom: heard.translatedFrom, revision: open.published?.revision ?? 0)
    guard result != open.published else { return nil }
    result.revision = open.nextRevision
    open.didPublish(result, at: now)
    return AssembledResult(
      result: result, language: open.language, isTranslation: open.isTranslation)
  }
}
