/// A line that a child process wrote.
struct ChildLine: Hashable, Sendable {
  enum Stream: Hashable, Sendable {
    case output
    case error
  }

  let stream: Stream
  let text: String
}
