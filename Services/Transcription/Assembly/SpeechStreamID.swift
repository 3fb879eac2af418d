/// The id of one talker's speech at one engine. Messages contain the same id.
struct SpeechStreamID: Hashable, Sendable, CustomStringConvertible {
  let text: String

  init(_ text: String) { self.text = text }

  var description: String { text }
}
