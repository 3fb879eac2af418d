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
        .failedPrecondition,
        "\(path) is missing; install pocketsphinx-en-us, or name another model with --model.")
    case .modelRefused(let path):
      Status(
        .failedPrecondition,
        """
        PocketSphinx cannot load the model at \(path); install pocketsphinx-en-us, or name \
        another model with --model.
        """)
    case .decoderFailed:
      Status(
        .internalError,
        "PocketSphinx failed to decode an utterance, which is lost; see the log of the engine.")
    }
  }
}
