internal import Glibc

/// A pipe(7) of which neither end survives an exec, unless it is made somebody's standard stream.
struct Pipe {
  let readEnd: Int32
  let writeEnd: Int32

  init() throws(CommandFailure) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else {
      throw .precondition("No pipe: errno \(errno); raise the limit of open files.")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
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
