import MeetingModel

/// An error of the engine.
enum PocketSphinxError: StatusConvertible, Hashable {
  /// A file of the model is missing.
  case missing(path: String)
  /// The model does not load.
  case modelRefused(path: String)
  /// The decoder failed within an utterance.
  case decoderFailed

  var status: Status {
    switch self {
    case .missing(let path):
      Status(
        .failedPrecondition, "\(path) is missing; install pocketsphinx-en-us or see --model.")
    case .modelRefused(let path):
      Status(.failedPrecondition, "PocketSphinx does not load the model at \(path).")
    case .decoderFailed:
      Status(.internalError, "PocketSphinx gave an utterance up.")
    }
  }
}
