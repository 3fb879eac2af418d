/// Names one talker's speech at one engine, on the wire too.
struct StreamID: Hashable, Sendable, CustomStringConvertible {
  let text: String

  init(_ text: String) { self.text = text }

  var description: String { text }
}
