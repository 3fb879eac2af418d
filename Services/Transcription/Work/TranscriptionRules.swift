/// The numbers by which transcription decides.
struct TranscriptionRules: Hashable, Sendable {
  /// Most engines that are attached at once.
  var maxEngines = 64

  /// Most speech of one talker that waits for an engine, or to be final. Older speech is dropped.
  var maxBacklog = Duration.seconds(20)

  /// How long a start waits for an engine before it has failed.
  var engineWait = Duration.seconds(5)

  /// How long an interruption lasts before the transcription has failed.
  var interruptionLimit = Duration.seconds(60)

  /// How often engines report at least; three missed detach them.
  var reportInterval = Duration.seconds(2)

  /// How long results of a stream that has ended are taken.
  var lateResults = Duration.seconds(10)

  /// A talker who says nothing for so long gives its place at the engine away.
  var idleStream = Duration.seconds(30)

  /// Chunks that media may send at once, for a meeting.
  var mediaCredit = 1_000

  /// Most credit an engine may have.
  static let mostEngineCredit = 500

  /// Length of media's chunks.
  static let chunk = Duration.milliseconds(100)

  /// How long an ended meeting's events can be asked for.
  var endedMeeting = Duration.seconds(60)

  /// How long a start waits for the gateways to say what runs.
  var recovery = Duration.seconds(15)

  var segmenter = SegmenterRules()
}
