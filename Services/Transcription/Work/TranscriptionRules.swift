/// The limits and timeouts of `transcription`.
struct TranscriptionRules: Hashable, Sendable {
  /// The maximum number of attached engines.
  var maxEngines = 64

  /// The maximum length of one talker's speech that waits for an engine or for a final result.
  ///
  /// The service drops older speech.
  var maxBacklog = Duration.seconds(20)

  /// How long a start waits for an engine before the start fails.
  var engineWait = Duration.seconds(5)

  /// How long an interruption lasts before the transcription fails.
  var interruptionLimit = Duration.seconds(60)

  /// The maximum time between two reports of an engine. After three missed reports, the service
  /// detaches the engine.
  var reportInterval = Duration.seconds(2)

  /// How long the service accepts results of an ended stream.
  var lateResults = Duration.seconds(10)

  /// How long a silent talker keeps its stream at an engine.
  var idleStream = Duration.seconds(30)

  /// For one meeting, the number of speech chunks that `media` may send without a new grant.
  var mediaCredit = 1_000

  /// The maximum credit of an engine.
  static let mostEngineCredit = 500

  /// The length of the chunks from `media`.
  static let chunk = Duration.milliseconds(100)

  /// How long the events of an ended meeting remain available.
  var endedMeeting = Duration.seconds(60)

  /// How long a new owner waits until gateways have announced running transcriptions.
  var recovery = Duration.seconds(15)

  var segmenter = SegmenterRules()
}
