internal import LocalInstallation
internal import MeetingModel

/// Probes whether a server answers at an endpoint.
///
/// An accepted connection does not prove that the server answers: the kernel also accepts
/// connections for a process that hangs.
enum ServerProbe {
  enum Outcome: Hashable, Sendable {
    case served
    /// The endpoint accepts connections, and sends nothing or unexpected bytes.
    case silent
    /// No process listens. The associated value is the system's reason.
    case refused(String)
  }

  /// The first byte of a greeting.
  private static let firstByte: UInt8 = 0xFF

  /// Connects to a ZeroMQ endpoint, and waits for the greeting that each peer sends first (ZMTP
  /// 3.1).
  static func greeting(
    of address: HTTPAddress, within limit: Duration
  ) async -> Outcome {
    await ask(address, limit) { socket, deadline in
      let greeting = try? socket.receive(deadline: deadline)
      return (greeting ?? nil)?.first == firstByte ? .served : .silent
    }
  }

  /// Sends a request to an HTTP server, and accepts any response.
  static func answer(of address: HTTPAddress, within limit: Duration) async -> Outcome {
    do {
      _ = try await HTTPClient(address).send(HTTPRequest(.get, "/"), within: limit)
      return .served
    } catch .cannotConnect(let reason) {
      return .refused(reason)
    } catch {
      return .silent
    }
  }

  /// Returns whether a process listens, with any protocol.
  static func isListening(at path: String) async -> Bool {
    await ask(.unixSocket(path: path), .seconds(1)) { _, _ in .served } == .served
  }

  private static func ask(
    _ address: HTTPAddress, _ limit: Duration,
    _ question:
      @escaping @Sendable (borrowing DeadlineStreamSocket, ContinuousClock.Instant) -> Outcome
  ) async -> Outcome {
    let deadline = ContinuousClock.now + limit
    return await BlockingWork.run {
      do throws(HTTPError) {
        return question(
          try DeadlineStreamSocket(connectingTo: address, deadline: deadline), deadline)
      } catch {
        return .refused(error.status.message)
      }
    }
  }
}
