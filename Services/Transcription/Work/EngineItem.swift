import MeetingModel

/// What an engine is told, in order.
enum EngineItem: Sendable, Hashable {
  /// It is attached: the first item of all.
  case attached(instance: String, maxResultBytes: Int, reportInterval: Duration)
  /// A talker begins.
  case streamStarted(EngineStreamStart)
  /// A talker's speech.
  case audio(EngineAudio)
  /// A talker is done; its last results may follow, unless nobody wants them.
  case streamEnded(StreamID, isDiscarded: Bool)
}

/// How a talker's speech is to be heard.
struct EngineStreamStart: Sendable, Hashable {
  var stream: StreamID

  /// What is spoken; `nil`: the engine finds out, among `languageOptions` if there are any.
  var language: LanguageCode?
  var languageOptions: [LanguageCode]
  var wantsPartials: Bool

  /// Languages that are wanted besides.
  var translations: [LanguageCode]

  /// Which content is to be found.
  var content: SensitiveContentType?

  /// Holds what only engines read.
  var configuration: ConfigurationSource
}

/// A piece of a talker's speech.
struct EngineAudio: Sendable, Hashable {
  var stream: StreamID

  /// Place of the first sample in the stream, from 0. Where it jumps, speech was dropped.
  var firstSample: UInt64

  /// 16 kHz, one channel.
  var samples: [Int16]

  /// Whether the talker paused after this.
  var isEndOfUtterance: Bool
}
