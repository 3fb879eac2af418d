/// The id of one talker's speech at one engine. The messages between the service and the engine
/// contain this id.
struct SpeechStreamID: Hashable, Sendable, CustomStringConvertible {
  let text: String

  init(_ text: String) { self.text = text }

  var description: String { text }
}
