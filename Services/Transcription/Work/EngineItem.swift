import MeetingModel

/// An item of the ordered stream to an engine.
enum EngineItem: Sendable, Hashable {
  /// Confirms the attachment; always the first item.
  case attached(instance: String, maxResultBytes: Int, reportInterval: Duration)
  /// Starts a talker's stream.
  case streamStarted(EngineStreamStart)
  /// Carries a piece of a talker's speech.
  case audio(EngineAudio)
  /// Ends a talker's stream; last results may follow, unless they are discarded.
  case streamEnded(StreamID, isDiscarded: Bool)
}

/// The parameters of a talker's stream.
struct EngineStreamStart: Sendable, Hashable {
  var stream: StreamID

  /// The spoken language; `nil`: the engine identifies it, among `languageOptions` if there are
  /// any.
  var language: LanguageCode?
  var languageOptions: [LanguageCode]
  var wantsPartials: Bool

  /// The languages to translate to.
  var translations: [LanguageCode]

  /// The content that the engine has to identify.
  var content: SensitiveContentType?

  /// The configuration, with settings that only engines read.
  var configuration: ConfigurationSource
}

/// A piece of a talker's speech.
struct EngineAudio: Sendable, Hashable {
  var stream: StreamID

  /// The position of the first sample in the stream, from 0.
  ///
  /// A gap means that speech was dropped.
  var firstSample: UInt64

  /// 16 kHz, mono.
  var samples: [Int16]

  /// Whether the talker paused after this piece.
  var isEndOfUtterance: Bool
}
