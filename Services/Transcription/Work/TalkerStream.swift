import MeetingModel

/// One talker's speech: where it is in time, what waits for an engine, and what one has.
struct TalkerStream: Sendable {
  var speaker: ParticipantIdentity
  private(set) var timeline = SpeechTimeline()
  private var segmenter: SpeechSegmenter

  /// Waits for an engine, oldest first, each with the number of its arrival.
  private(set) var waiting: [Arrived] = []

  /// Was sent and is not final: another engine would need it.
  private(set) var sent: [SpeechPiece] = []

  /// Where the speech is heard.
  var place: Place?

  /// When speech came last.
  private(set) var lastSpeech: ContinuousClock.Instant

  /// Speech that was never heard, in samples.
  private(set) var droppedSamples: UInt64 = 0

  /// How far an engine has worked.
  private(set) var doneThrough: UInt64 = 0

  /// Engines that gave this talker up, and until when they are not asked again.
  var refusals: [EngineToken: ContinuousClock.Instant] = [:]

  struct Arrived: Sendable {
    let number: UInt64
    let piece: SpeechPiece
  }

  /// A talker's place at an engine.
  struct Place: Sendable, Hashable {
    let engine: EngineToken
    let stream: StreamID
    let language: LanguageCode?

    /// What the talker chose to be heard as.
    let spoken: LanguageCode?

    /// The end of what the engine got.
    var through: UInt64

    /// The last thing it got was the end of an utterance.
    var isBetweenUtterances = true
  }

  init(_ speaker: ParticipantIdentity, _ rules: SegmenterRules, at now: ContinuousClock.Instant) {
    self.speaker = speaker
    segmenter = SpeechSegmenter(rules)
    lastSpeech = now
  }

  var isIdle: Bool { waiting.isEmpty && place == nil }

  /// Speech that waits, or is with an engine that is not done with it.
  var backlogSamples: UInt64 {
    let queued = waiting.reduce(0) { $0 + UInt64($1.piece.samples.count) }
    let working = sent.reduce(0) {
      $0 + ($1.end > doneThrough ? $1.end - max($1.first, doneThrough) : 0)
    }
    return queued + working
  }

  // MARK: Speech

  /// Nothing more comes of what goes on.
  mutating func endUtterance(number: UInt64) {
    waiting += segmenter.flush().map { Arrived(number: number, piece: $0) }
  }

  /// Takes a chunk from media.
  ///
  /// - Parameters:
  ///   - number: Rises with each chunk of all talkers.
  ///   - limit: Most samples that wait; the oldest are dropped beyond that.
  /// - Returns: Samples that were lost, here and on the way.
  mutating func take(
    _ samples: [Int16], start: UInt64, lost: UInt64, isLast: Bool, number: UInt64,
    limit: UInt64, at now: ContinuousClock.Instant
  ) -> UInt64 {
    lastSpeech = now
    var pieces: [SpeechPiece] = []
    if !samples.isEmpty {
      let first = timeline.place(start: start, count: samples.count, lost: lost)
      pieces += segmenter.push(samples, at: first)
    }
    if isLast { pieces += segmenter.flush() }
    waiting += pieces.map { Arrived(number: number, piece: $0) }
    let missing = lost * SpeechTimeline.samplesPerMillisecond + trim(to: limit)
    droppedSamples += missing
    return missing
  }

  /// Drops the oldest speech that waits beyond a limit.
  private mutating func trim(to limit: UInt64) -> UInt64 {
    var total = waiting.reduce(0) { $0 + UInt64($1.piece.samples.count) }
    var dropped: UInt64 = 0
    var count = 0
    while total > limit, count < waiting.count {
      let samples = UInt64(waiting[count].piece.samples.count)
      total -= samples
      dropped += samples
      count += 1
    }
    waiting.removeFirst(count)
    return dropped
  }

  /// Takes the oldest piece that waits, for the engine that has the talker.
  ///
  /// - Parameter limit: Most samples that are kept for another engine.
  mutating func next(keeping limit: UInt64) -> SpeechPiece? {
    guard place != nil, !waiting.isEmpty else { return nil }
    let piece = waiting.removeFirst().piece
    place?.through = piece.end
    place?.isBetweenUtterances = piece.isEndOfUtterance
    sent.append(piece)
    var total = sent.reduce(0) { $0 + UInt64($1.samples.count) }
    while total > limit, let oldest = sent.first {
      total -= UInt64(oldest.samples.count)
      sent.removeFirst()
    }
    return piece
  }

  /// The engine is done with everything before a place.
  mutating func didWork(through sample: UInt64) {
    doneThrough = max(doneThrough, min(sample, place?.through ?? sample))
  }

  /// Nobody needs what is before a place any more.
  mutating func forget(before sample: UInt64) {
    sent.removeAll { $0.end <= sample }
  }

  /// Where the last utterance ended that was sent and lies before a place.
  func endOfUtterance(before sample: UInt64) -> UInt64? {
    sent.last { $0.isEndOfUtterance && $0.end <= sample }?.end
  }

  /// The engine is lost: what is not final waits again.
  mutating func rewind() {
    place = nil
    // It arrived before everything else that waits.
    waiting = sent.map { Arrived(number: 0, piece: $0) } + waiting
    sent = []
    if let first = waiting.first { doneThrough = min(doneThrough, first.piece.first) }
  }

  /// Gives the place away; what was sent is still worked on.
  mutating func leave() {
    place = nil
    sent = []
  }

  /// Forgets what waits.
  mutating func clear() {
    waiting = []
    sent = []
  }

  /// The process stood still for so long: in that time nobody could be heard.
  mutating func resume(after stall: Duration) { lastSpeech += stall }
}
