internal import Glibc
internal import Output
internal import Synchronization

/// A pipe(7) of which neither end survives an exec, unless it is made somebody's standard stream.
struct Pipe {
  let readEnd: Int32
  let writeEnd: Int32

  /// Held while a pipe is made and while a child is started. Swift does not see pipe2(2): a child
  /// that another spawner starts before the ends are marked would keep them open as long as it
  /// lives, and whoever reads would never hear of the end.
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

  /// Makes a pipe and puts it into a list, from which it is closed when what follows fails.
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
