/// The limits and timeouts of transcription.
struct TranscriptionRules: Hashable, Sendable {
  /// The maximum number of engines that may be attached at once.
  var maxEngines = 64

  /// The maximum speech of one talker that waits for an engine or for a final result.
  ///
  /// Older speech is dropped.
  var maxBacklog = Duration.seconds(20)

  /// How long a start waits for an engine before it fails.
  var engineWait = Duration.seconds(5)

  /// How long an interruption lasts before the transcription fails.
  var interruptionLimit = Duration.seconds(60)

  /// The longest time between an engine's reports; three missed reports detach the engine.
  var reportInterval = Duration.seconds(2)

  /// How long results of an ended stream are accepted.
  var lateResults = Duration.seconds(10)

  /// How long a silent talker keeps its stream at an engine.
  var idleStream = Duration.seconds(30)

  /// The chunks of a meeting that media may send without a new grant.
  var mediaCredit = 1_000

  /// The maximum credit of an engine.
  static let mostEngineCredit = 500

  /// The length of media's chunks.
  static let chunk = Duration.milliseconds(100)

  /// How long an ended meeting's events are available.
  var endedMeeting = Duration.seconds(60)

  /// How long a new owner waits for gateways to announce running transcriptions.
  var recovery = Duration.seconds(15)

  var segmenter = SegmenterRules()
}
