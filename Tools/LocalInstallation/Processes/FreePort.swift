package import Output
internal import Trials

/// Finds a TCP port that nobody listens on.
package enum FreePort {
  /// A port of 127.0.0.1 that the system gave out last, and is free again.
  ///
  /// A service that is to come back on the same port after it was killed cannot leave the choice to
  /// the system each time. If somebody takes the port before it is used, the service says so.
  package static func choose() throws(CommandFailure) -> UInt16 {
    do {
      return UInt16(try LocalSocket.freePort())
    } catch {
      throw .precondition("There is no free port on 127.0.0.1: \(error)")
    }
  }
}
