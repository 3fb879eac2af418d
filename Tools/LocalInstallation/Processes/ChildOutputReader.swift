internal import Foundation

/// A reader of both output streams of a child process. The reader forwards the lines of both
/// streams.
struct ChildOutputReader: Sendable {
  let output: Int32
  let error: Int32
  /// The read end of a pipe. The owner of the process closes the pipe after the owner has reaped
  /// the process.
  ///
  /// A process that the child has started may keep the streams open. In this case, the reader
  /// forwards the lines that are already waiting, and stops.
  let end: Int32
  let onLine: @Sendable (ChildLine) -> Void

  /// Blocks until the process has ended and this type has forwarded the process's lines. Then
  /// closes the descriptors.
  func run() {
    var streams = [
      ChildOutputStream(stream: .output, descriptor: output),
      ChildOutputStream(stream: .error, descriptor: error),
    ]
    var isReaped = false
    while !(isReaped && streams.isEmpty) {
      var polled = streams.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      if !isReaped { polled.append(pollfd(fd: end, events: 0, revents: 0)) }
      let count = unsafe poll(&polled, nfds_t(polled.count), isReaped ? 0 : -1)
      if count == 0 { break }
      guard count > 0 else { continue }
      if !isReaped, polled[streams.count].revents != 0 { isReaped = true }
      for index in streams.indices.reversed() where polled[index].revents != 0 {
        if !streams[index].read(onLine) { streams.remove(at: index).close() }
      }
    }
    for index in streams.indices {
      streams[index].finish(onLine)
      streams[index].close()
    }
    close(end)
  }
}

/// One of the two streams.
private struct ChildOutputStream {
  let stream: ChildLine.Stream
  let descriptor: Int32
  private var splitter = LineSplitter()

  init(stream: ChildLine.Stream, descriptor: Int32) {
    self.stream = stream
    self.descriptor = descriptor
  }

  /// Reads the waiting bytes; returns `false` when the stream has ended.
  mutating func read(_ onLine: (ChildLine) -> Void) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = unsafe Foundation.read(descriptor, &bytes, bytes.count)
    if count > 0 {
      for line in splitter.take(bytes[..<count]) {
        onLine(ChildLine(stream: stream, text: line))
      }
      return true
    }
    if count < 0, errno == EINTR || errno == EAGAIN { return true }
    finish(onLine)
    return false
  }

  mutating func finish(_ onLine: (ChildLine) -> Void) {
    if let last = splitter.finish() { onLine(ChildLine(stream: stream, text: last)) }
  }

  func close() { Foundation.close(descriptor) }
}
