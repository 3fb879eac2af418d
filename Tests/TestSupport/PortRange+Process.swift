import Foundation
import Synchronization
import Trials

extension PortRange {
  /// What this process may hand out; `nil`: whatever is free.
  private static let ofProcess = Mutex(
    Result { try ProcessInfo.processInfo.environment[variable].map { try PortRange($0) } })

  /// A port of 127.0.0.1 for a program that a test starts.
  ///
  /// Two processes of tests that choose at the same time could choose the same port, so it is from
  /// the range in `TEST_PORTS` where there is one.
  public static func freePort() throws -> Int {
    let inTurn: Int? = try ofProcess.withLock { range in
      guard var ports = try range.get() else { return nil }
      defer { range = .success(ports) }
      return try ports.take { (try? LocalSocket(listeningAtPort: $0)) != nil }
    }
    return try inTurn ?? LocalSocket.freePort()
  }
}
