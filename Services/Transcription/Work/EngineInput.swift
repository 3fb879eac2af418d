import MeetingModel

/// An item of the ordered stream to an engine.
enum EngineInput: Sendable, Hashable {
  /// Confirms the attachment. This item is always the first.
  case attached(instance: String, maxResultBytes: Int, reportInterval: Duration)
  /// Starts a talker's stream.
  case streamStarted(EngineStreamStart)
  /// Carries a piece of a talker's speech.
  case audio(EngineAudio)
  /// Ends a talker's stream. The engine may still report results, unless the service discards them.
  case streamEnded(SpeechStreamID, isDiscarded: Bool)
}

/// The parameters of a talker's stream.
struct EngineStreamStart: Sendable, Hashable {
  var stream: SpeechStreamID

  /// The spoken language; `nil` if the engine must identify it. If `languageOptions` is not empty,
  /// the language is one of these options.
  var language: LanguageCode?
  var languageOptions: [LanguageCode]
  var wantsPartials: Bool

  /// The languages to which the engine translates.
  var translations: [LanguageCode]

  /// The content that the engine must identify.
  var content: SensitiveContentType?

  /// The configuration, with the settings that only engines read.
  var configuration: OpaqueTranscriptionConfiguration
}

/// A piece of a talker's speech.
struct EngineAudio: Sendable, Hashable {
  var stream: SpeechStreamID

  /// The position of the first sample in the stream, from 0.
  ///
  /// A gap means that the service dropped speech.
  var firstSample: UInt64

  /// The samples, at 16 kHz with one channel.
  var samples: [Int16]

  /// Whether the talker paused after this piece.
  var isEndOfUtterance: Bool
}
