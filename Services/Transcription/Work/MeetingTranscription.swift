import MeetingModel

/// One meeting's transcription: what is wanted, how it goes, who speaks.
struct MeetingTranscription: Sendable {
  /// What is wanted; `nil` while nothing is.
  var settings: TranscriptionSettings?
  var phase = Phase.idle

  /// The revision of the last configuration, as the meetings store counts.
  var revision: UInt64 = 0

  /// When that was started, in milliseconds since 1970.
  var startedAtMs: UInt64 = 0

  /// The last one; `nil`: nothing was ever started.
  var status: TranscriptionStatus?
  var choices = LanguageChoices()
  var talkers: [ParticipantID: TalkerStream] = [:]
  var assembler: TranscriptAssembler
  var credit: CreditWindow

  /// Media is asked for speech.
  var isFollowing = false

  enum Phase: Hashable, Sendable {
    case idle
    /// No engine was found yet.
    case waiting(until: ContinuousClock.Instant)
    case running
    /// The engine is gone.
    case interrupted(until: ContinuousClock.Instant)
    /// No engine does it; one that comes still may.
    case failed
  }

  init(prefix: String, rules: TranscriptionRules) {
    assembler = TranscriptAssembler(prefix: prefix)
    credit = CreditWindow(size: rules.mediaCredit)
  }

  /// The process stood still for so long.
  mutating func resume(after stall: Duration) {
    switch phase {
    case .idle, .running, .failed: break
    case .waiting(let until): phase = .waiting(until: until + stall)
    case .interrupted(let until): phase = .interrupted(until: until + stall)
    }
    for talker in talkers.keys { talkers[talker]?.resume(after: stall) }
  }

  /// Pieces of speech that wait.
  var waitingPieces: Int { talkers.values.reduce(0) { $0 + $1.waiting.count } }

  /// How a change is told.
  func status(
    _ type: TranscriptionStatusType, _ message: String = "", at now: Moment
  ) -> TranscriptionStatus {
    TranscriptionStatus(
      type: type, milliseconds: now.milliseconds, region: settings?.source.region ?? "",
      configuration: settings?.source.json ?? "", message: message)
  }
}
