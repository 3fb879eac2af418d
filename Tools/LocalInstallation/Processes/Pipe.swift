internal import Glibc
internal import Output
internal import Synchronization

/// A pipe(7). Both ends close on exec, except an end that becomes a child's standard stream.
struct Pipe {
  let readEnd: Int32
  let writeEnd: Int32

  /// The lock under which a thread creates a pipe or starts a child.
  ///
  /// Swift has no access to pipe2(2). A child that starts before this type has marked the ends
  /// would keep the ends open. Then a reader would never see the end of the stream.
  static let making = Mutex(())

  init() throws(CommandFailure) {
    var ends: [Int32] = [-1, -1]
    let code = Self.making.withLock { _ in
      guard unsafe pipe(&ends) == 0 else { return errno }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return 0
    }
    guard code == 0 else {
      throw .precondition("No pipe: errno \(code); raise the limit of open files.")
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  /// Creates a pipe and adds it to a list, so that the caller can close the pipe after an error.
  static func make(addingTo pipes: inout [Pipe]) throws(CommandFailure) -> Pipe {
    let pipe = try Pipe()
    pipes.append(pipe)
    return pipe
  }

  func close() {
    Glibc.close(readEnd)
    Glibc.close(writeEnd)
  }
}
