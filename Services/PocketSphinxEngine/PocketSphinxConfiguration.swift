/// What an engine process works with.
struct PocketSphinxConfiguration: Sendable {
  /// For example `pocketsphinx-a`: its id as an engine.
  var instance: String
  var model: SpeechModel
  var language = "en-US"

  /// Talkers that it works on at the same time.
  var maxStreams = 4

  /// Threads that decode.
  var threads = 1

  /// Pieces of speech of each talker that may wait here.
  static let creditPerStream = 20
}
