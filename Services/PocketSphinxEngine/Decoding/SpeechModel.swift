import Foundation

/// The paths of a PocketSphinx model: the acoustic model, the dictionary and the language model.
struct SpeechModel: Sendable, Hashable {
  var sounds: String
  var dictionary: String
  var words: String

  /// The directory of the model in Debian's package `pocketsphinx-en-us`.
  static let debian = "/usr/share/pocketsphinx/model/en-us"

  /// Creates the paths of the model in a directory that has the layout of Debian's
  /// `pocketsphinx-en-us`: `en-us/`, `cmudict-en-us.dict` and `en-us.lm.bin`.
  init(directory: String) {
    sounds = directory + "/en-us"
    dictionary = directory + "/cmudict-en-us.dict"
    words = directory + "/en-us.lm.bin"
  }

  /// Checks that this process can read the files of the model.
  ///
  /// - Throws: ``PocketSphinxError/missing(path:)`` for the first path that this process cannot
  ///   read.
  func check() throws(PocketSphinxError) {
    for path in [sounds, dictionary, words] where !FileManager.default.isReadableFile(atPath: path)
    {
      throw .missing(path: path)
    }
  }
}
