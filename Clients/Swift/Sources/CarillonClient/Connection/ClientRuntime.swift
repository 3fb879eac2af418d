internal import Synchronization
internal import ZeroMQ

/// What all sessions of one process share: one libzmq context and one socket thread.
///
/// One of each per process is a rule of libzmq's (several contexts with CURVE in one process can
/// crash in Debian's version), so this is the one value here that is not handed in.
final class ClientRuntime: Sendable {
  let context: Context
  let thread: SocketThread

  private static let shared = Mutex<ClientRuntime?>(nil)

  /// The process's runtime, made when it is first needed.
  static func current() throws -> ClientRuntime {
    try shared.withLock { runtime in
      if let runtime { return runtime }
      let made = ClientRuntime(context: try Context())
      runtime = made
      return made
    }
  }

  private init(context: Context) {
    self.context = context
    thread = SocketThread(name: "carillon-client")
  }
}
