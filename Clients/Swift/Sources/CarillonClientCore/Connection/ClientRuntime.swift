internal import Bus
internal import Foundation
internal import MeetingModel
internal import Synchronization
package import ZeroMQ

/// The libzmq context and the socket thread that all sessions of one process share.
///
/// libzmq requires one context per process: with CURVE, several contexts can crash in Debian's
/// version. So this runtime is the only shared value in the library that callers do not pass in.
package final class ClientRuntime: Sendable {
  package let context: ZMQContext
  let thread: SocketThread

  /// The thread for the media of all sessions of the process. Encoding on this thread does not
  /// delay the sessions' other work.
  private let media = Mutex<SocketThread?>(nil)

  private static let shared = Mutex<ClientRuntime?>(nil)

  /// The environment variable with the path of the key directory that `carillon keys init` has
  /// made. A client needs the keys in this directory if a gateway admits only the clients whose
  /// keys the gateway's operator has listed.
  private static let keyDirectoryVariable = "CARILLON_KEY_DIR"

  /// Returns the process's runtime. The first call creates the runtime.
  ///
  /// - Throws: ``Bus/KeyError`` when `CARILLON_KEY_DIR` names a directory without a key.
  package static func current() throws -> ClientRuntime {
    try shared.withLock { runtime in
      if let runtime { return runtime }
      let made = ClientRuntime(context: try ZMQContext(identity: identity()))
      runtime = made
      return made
    }
  }

  /// Returns the key pair for gateways that admit only listed keys; `nil` for an anonymous client.
  private static func identity() throws -> CurveKeyPair? {
    let path = ProcessInfo.processInfo.environment[keyDirectoryVariable] ?? ""
    guard !path.isEmpty else { return nil }
    guard let keys = try KeyDirectory(path).keys() else { throw KeyError.noKeys(directory: path) }
    return keys
  }

  /// The thread for the media of all sessions. The first use of this property creates the thread.
  package var mediaThread: SocketThread {
    media.withLock { media in
      if let media { return media }
      let made = SocketThread(name: "carillon-media")
      media = made
      return made
    }
  }

  private init(context: ZMQContext) {
    self.context = context
    thread = SocketThread(name: "carillon-client")
  }
}
