import MeetingModel

/// One meeting's transcription: its settings, phase and talkers.
struct MeetingTranscription: Sendable {
  /// The settings; `nil` while the meeting has no transcription.
  var settings: TranscriptionSettings?
  var phase = Phase.idle

  /// The revision of the last configuration. The store assigns the revisions.
  var revision: UInt64 = 0

  /// The time of the transcription's start, in milliseconds since 1970.
  var startedAtMs: UInt64 = 0

  /// The last status; `nil` if the meeting has had no transcription.
  var status: TranscriptionStatus?
  var choices = LanguageChoices()
  var talkers: [ParticipantID: TalkerStream] = [:]
  var assembler: TranscriptAssembler
  var credit: CreditWindow

  /// Whether the service requests the meeting's speech from `media`.
  var isFollowing = false

  enum Phase: Hashable, Sendable {
    case idle
    /// The service has not found a suitable engine yet.
    case waiting(until: ContinuousClock.Instant)
    case running
    /// The service has lost the engine.
    case interrupted(until: ContinuousClock.Instant)
    /// No engine is suitable. An engine that attaches later may restart the transcription.
    case failed
  }

  init(prefix: String, rules: TranscriptionRules) {
    assembler = TranscriptAssembler(prefix: prefix)
    credit = CreditWindow(size: rules.mediaCredit)
  }

  /// Extends deadlines by the duration of a stall of the process.
  mutating func resume(after stall: Duration) {
    switch phase {
    case .idle, .running, .failed: break
    case .waiting(let until): phase = .waiting(until: until + stall)
    case .interrupted(let until): phase = .interrupted(until: until + stall)
    }
    for talker in talkers.keys { talkers[talker]?.resume(after: stall) }
  }

  /// The number of waiting pieces of speech.
  var waitingPieces: Int { talkers.values.reduce(0) { $0 + $1.waiting.count } }

  /// Returns a status with the given type.
  func status(
    _ type: TranscriptionStatusType, _ message: String = "", at now: ClockReading
  ) -> TranscriptionStatus {
    TranscriptionStatus(
      type: type, milliseconds: now.milliseconds, region: settings?.source.region ?? "",
      configuration: settings?.source.json ?? "", message: message)
  }
}
