/// What an engine process works with.
struct PocketSphinxConfiguration: Sendable {
  /// The engine's id, for example `pocketsphinx-a`.
  var instance: String
  var model: SpeechModel
  var language = "en-US"

  /// The most talkers that it works on at the same time.
  var maxStreams = 4

  /// How many threads decode.
  var threads = 1

  /// The most pieces of speech of each talker that may wait here.
  static let creditPerStream = 20
}
