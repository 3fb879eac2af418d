/// A line that a child process wrote.
package struct ChildLine: Hashable, Sendable {
  package enum Stream: Hashable, Sendable {
    case output
    case error
  }

  package let stream: Stream
  package let text: String
}
