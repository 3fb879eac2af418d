/// The configuration of an engine process.
struct PocketSphinxConfiguration: Sendable {
  /// The engine's id, for example `pocketsphinx-a`.
  var instance: String
  var model: SpeechModel
  var language = "en-US"

  /// The maximum number of talkers whose speech the engine decodes at the same time.
  var maxStreams = 4

  /// The number of decoding threads.
  var threads = 1

  /// The maximum number of speech chunks per talker that may wait in the engine.
  static let creditPerStream = 20
}
