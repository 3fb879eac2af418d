import MeetingModel

/// One meeting's transcription: its settings, phase and talkers.
struct MeetingTranscription: Sendable {
  /// The settings; `nil` while none is started.
  var settings: TranscriptionSettings?
  var phase = Phase.idle

  /// The revision of the last configuration, as counted by the meetings store.
  var revision: UInt64 = 0

  /// When the transcription was started, in milliseconds since 1970.
  var startedAtMs: UInt64 = 0

  /// The last status; `nil` if nothing was ever started.
  var status: TranscriptionStatus?
  var choices = LanguageChoices()
  var talkers: [ParticipantID: TalkerStream] = [:]
  var assembler: TranscriptAssembler
  var credit: CreditWindow

  /// Whether media is asked for speech.
  var isFollowing = false

  enum Phase: Hashable, Sendable {
    case idle
    /// No suitable engine has been found yet.
    case waiting(until: ContinuousClock.Instant)
    case running
    /// The engine is lost.
    case interrupted(until: ContinuousClock.Instant)
    /// No engine is suitable; one that attaches later may restart it.
    case failed
  }

  init(prefix: String, rules: TranscriptionRules) {
    assembler = TranscriptAssembler(prefix: prefix)
    credit = CreditWindow(size: rules.mediaCredit)
  }

  /// Extends deadlines by the time in which the process did not run.
  mutating func resume(after stall: Duration) {
    switch phase {
    case .idle, .running, .failed: break
    case .waiting(let until): phase = .waiting(until: until + stall)
    case .interrupted(let until): phase = .interrupted(until: until + stall)
    }
    for talker in talkers.keys { talkers[talker]?.resume(after: stall) }
  }

  /// The number of pieces of speech that wait.
  var waitingPieces: Int { talkers.values.reduce(0) { $0 + $1.waiting.count } }

  /// Returns a status with the given type.
  func status(
    _ type: TranscriptionStatusType, _ message: String = "", at now: Moment
  ) -> TranscriptionStatus {
    TranscriptionStatus(
      type: type, milliseconds: now.milliseconds, region: settings?.source.region ?? "",
      configuration: settings?.source.json ?? "", message: message)
  }
}
