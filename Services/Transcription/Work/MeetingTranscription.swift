import MeetingModel
import Wire

/// One meeting's transcription: what is wanted, how it goes, who speaks.
struct MeetingTranscription: Sendable {
  /// What is wanted; `nil` while nothing is.
  var settings: TranscriptionSettings?
  var phase = Phase.idle

  /// Of the last configuration, as the meetings store counts.
  var revision: UInt64 = 0

  /// When that was started, in milliseconds since 1970.
  var startedAt: UInt64 = 0

  /// The last one; `nil`: nothing was ever started.
  var status: V1.TranscriptionStatus?
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

  /// Pieces of speech that wait.
  var waitingPieces: Int { talkers.values.reduce(0) { $0 + $1.waiting.count } }

  /// How a change is told.
  func status(
    _ type: V1.TranscriptionStatusType, _ message: String = "", at now: Moment
  ) -> V1.TranscriptionStatus {
    V1.TranscriptionStatus(
      type: type, eventTimeMs: now.milliseconds,
      transcriptionRegion: settings?.configuration.region ?? "",
      transcriptionConfiguration: settings?.configuration.json ?? "", message: message)
  }
}
