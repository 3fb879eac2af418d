internal import Bus
internal import Foundation
internal import MeetingModel
internal import Synchronization
package import ZeroMQ

/// What all sessions of one process share: one libzmq context and one socket thread.
///
/// One of each per process is a rule of libzmq's (several contexts with CURVE in one process can
/// crash in Debian's version), so this is the one value here that is not handed in.
package final class ClientRuntime: Sendable {
  package let context: Context
  let thread: SocketThread

  /// Where all media of the process lives, apart from the sessions: encoding may not hold those up.
  private let media = Mutex<SocketThread?>(nil)

  private static let shared = Mutex<ClientRuntime?>(nil)

  /// Names the directory that `carillon keys init` made, for a client whose key a gateway lists.
  private static let keyDirectoryVariable = "CARILLON_KEY_DIR"

  /// The process's runtime, made when it is first needed.
  ///
  /// - Throws: ``Bus/KeyError`` when `CARILLON_KEY_DIR` names a directory without a key.
  package static func current() throws -> ClientRuntime {
    try shared.withLock { runtime in
      if let runtime { return runtime }
      let made = ClientRuntime(context: try Context(identity: identity()))
      runtime = made
      return made
    }
  }

  /// Who this process is to gateways that list their clients; `nil`: anybody.
  private static func identity() throws -> SocketKeyPair? {
    let path = ProcessInfo.processInfo.environment[keyDirectoryVariable] ?? ""
    guard !path.isEmpty else { return nil }
    guard let keys = try KeyDirectory(path).keys() else { throw KeyError.noKeys(directory: path) }
    return keys
  }

  /// The thread of all media, made when it is first needed.
  package var mediaThread: SocketThread {
    media.withLock { media in
      if let media { return media }
      let made = SocketThread(name: "carillon-media")
      media = made
      return made
    }
  }

  private init(context: Context) {
    self.context = context
    thread = SocketThread(name: "carillon-client")
  }
}
