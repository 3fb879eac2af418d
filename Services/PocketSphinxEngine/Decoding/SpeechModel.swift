import Foundation

/// Where a model for PocketSphinx is: sounds, words, and how words follow each other.
struct SpeechModel: Sendable, Hashable {
  var sounds: String
  var dictionary: String
  var words: String

  /// Where Debian's `pocketsphinx-en-us` puts it.
  static let debian = "/usr/share/pocketsphinx/model/en-us"

  /// A directory as Debian's `pocketsphinx-en-us` has it: `en-us/`, `cmudict-en-us.dict` and
  /// `en-us.lm.bin`.
  init(directory: String) {
    sounds = directory + "/en-us"
    dictionary = directory + "/cmudict-en-us.dict"
    words = directory + "/en-us.lm.bin"
  }

  /// - Throws: ``PocketSphinxError/missing(path:)``.
  func check() throws(PocketSphinxError) {
    for path in [sounds, dictionary, words] where !FileManager.default.isReadableFile(atPath: path)
    {
      throw .missing(path: path)
    }
  }
}
