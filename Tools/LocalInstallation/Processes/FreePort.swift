package import Output
internal import Trials

/// Finds a TCP port on which nothing listens.
package enum FreePort {
  /// Returns a free port of 127.0.0.1, outside the system's range of automatic ports if possible.
  ///
  /// A service that must listen on the same port after a restart cannot let the system choose a
  /// port at each start. If another process takes the port before the service listens, the service
  /// reports that it cannot listen.
  package static func choose() throws(CommandFailure) -> UInt16 {
    do {
      return UInt16(try LocalSocket.freePort())
    } catch {
      throw .precondition("There is no free port on 127.0.0.1: \(error)")
    }
  }
}
