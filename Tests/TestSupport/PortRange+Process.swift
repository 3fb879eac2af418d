import Foundation
import Synchronization
import Trials

extension PortRange {
  /// The ports that this process may use; `nil` for any free port.
  private static let ofProcess = Mutex(
    Result { try ProcessInfo.processInfo.environment[variable].map { try PortRange($0) } })

  /// Returns a free port of 127.0.0.1 for a program that a test starts.
  ///
  /// Two test processes that choose at the same time could choose the same port. To prevent this,
  /// set a separate range in `TEST_PORTS` for each process.
  public static func freePort() throws -> Int {
    let inTurn: Int? = try ofProcess.withLock { range in
      guard var ports = try range.get() else { return nil }
      defer { range = .success(ports) }
      return try ports.take { (try? LocalSocket(listeningAtPort: $0)) != nil }
    }
    return try inTurn ?? LocalSocket.freePort()
  }
}
