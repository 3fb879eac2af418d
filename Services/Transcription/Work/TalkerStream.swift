import MeetingModel

/// One talker's speech: its timeline, its backlog, and the speech that an engine processes.
struct TalkerStream: Sendable {
  var speaker: ParticipantIdentity
  private(set) var timeline = SpeechTimeline()
  private var segmenter: SpeechSegmenter

  /// The speech that waits for an engine, oldest first. Each piece has the number of its arrival.
  private(set) var waiting: [Arrived] = []

  /// The sent speech without a final result. After the loss of the engine, another engine needs
  /// this speech.
  private(set) var sent: [SpeechPiece] = []

  /// The engine that processes the speech, and the stream that carries the speech to this engine.
  var place: Place?

  /// The time of the last speech.
  private(set) var lastSpeech: ContinuousClock.Instant

  /// The number of dropped samples of speech.
  private(set) var droppedSamples: UInt64 = 0

  /// The position up to which an engine has processed the speech.
  private(set) var doneThrough: UInt64 = 0

  /// The engines that gave up this talker. The value of an engine is the time from which the
  /// service may use this engine for the talker again.
  var refusals: [EngineAttachmentID: ContinuousClock.Instant] = [:]

  struct Arrived: Sendable {
    let number: UInt64
    let piece: SpeechPiece
  }

  /// The engine that processes a talker's stream, and the id of this stream.
  struct Place: Sendable, Hashable {
    let engine: EngineAttachmentID
    let stream: SpeechStreamID
    let language: LanguageCode?

    /// The language that the talker chose.
    let spoken: LanguageCode?

    /// The end of the speech that the service has sent to the engine.
    var through: UInt64

    /// Whether the last sent piece ended an utterance.
    var isBetweenUtterances = true
  }

  init(_ speaker: ParticipantIdentity, _ rules: SegmenterRules, at now: ContinuousClock.Instant) {
    self.speaker = speaker
    segmenter = SpeechSegmenter(rules)
    lastSpeech = now
  }

  var isIdle: Bool { waiting.isEmpty && place == nil }

  /// The number of samples that wait, or that the engine has not finished.
  var backlogSamples: UInt64 {
    let queued = waiting.reduce(0) { $0 + UInt64($1.piece.samples.count) }
    let working = sent.reduce(0) {
      $0 + ($1.end > doneThrough ? $1.end - max($1.first, doneThrough) : 0)
    }
    return queued + working
  }

  // MARK: Speech

  /// Ends the present utterance, because no more speech of this utterance will arrive.
  mutating func endUtterance(number: UInt64) {
    waiting += segmenter.flush().map { Arrived(number: number, piece: $0) }
  }

  /// Adds a chunk from `media`.
  ///
  /// - Parameters:
  ///   - number: A number that rises with each chunk of all talkers.
  ///   - limit: The maximum number of waiting samples. Beyond this limit, the method drops the
  ///     oldest samples.
  /// - Returns: The number of samples that the method dropped, plus the number of samples that are
  ///   missing before the chunk.
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

  /// Drops the oldest waiting speech, so that the remaining speech does not exceed a limit. Returns
  /// the number of dropped samples.
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

  /// Removes and returns the oldest waiting piece, for the talker's engine.
  ///
  /// - Parameter limit: The maximum number of sent samples that this type keeps in case another
  ///   engine needs them.
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

  /// Records that the engine has processed all speech before a position.
  mutating func didWork(through sample: UInt64) {
    doneThrough = max(doneThrough, min(sample, place?.through ?? sample))
  }

  /// Drops sent speech before a position, because no engine needs this speech any more.
  mutating func forget(before sample: UInt64) {
    sent.removeAll { $0.end <= sample }
  }

  /// Returns the end of the last sent utterance that ends before a position.
  func endOfUtterance(before sample: UInt64) -> UInt64? {
    sent.last { $0.isEndOfUtterance && $0.end <= sample }?.end
  }

  /// After the loss of the engine, moves the speech without a final result back to the waiting
  /// speech.
  mutating func rewind() {
    place = nil
    // The sent speech arrived before all other waiting speech.
    waiting = sent.map { Arrived(number: 0, piece: $0) } + waiting
    sent = []
    if let first = waiting.first { doneThrough = min(doneThrough, first.piece.first) }
  }

  /// Detaches the talker from the engine's stream. The engine still processes the sent speech.
  mutating func leave() {
    place = nil
    sent = []
  }

  /// Drops all waiting and sent speech.
  mutating func clear() {
    waiting = []
    sent = []
  }

  /// Moves the time of the last speech later by the duration of the process's stall.
  mutating func resume(after stall: Duration) { lastSpeech += stall }
}
