internal import LocalInstallation
internal import MeetingModel

/// Whether an endpoint is served, which is more than that it accepts connections: the kernel does
/// so for a process that hangs, too.
enum ServerProbe {
  enum Outcome: Hashable, Sendable {
    case served
    /// It accepts connections and says nothing, or something else.
    case silent
    /// Nobody listens; the system's reason.
    case refused(String)
  }

  /// What a greeting begins with.
  private static let firstByte: UInt8 = 0xFF

  /// Connects to a ZeroMQ endpoint, and waits for the greeting with which both sides of a
  /// connection begin, unasked (ZMTP 3.1).
  static func greeting(
    of address: HTTPAddress, within limit: Duration
  ) async -> Outcome {
    await ask(address, limit) { socket, deadline in
      let greeting = try? socket.receive(deadline: deadline)
      return (greeting ?? nil)?.first == firstByte ? .served : .silent
    }
  }

  /// Asks a server of HTTP for something, and takes any answer.
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

  /// Whether somebody listens, whatever is spoken there.
  static func isListening(at path: String) async -> Bool {
    await ask(.unixSocket(path: path), .seconds(1)) { _, _ in .served } == .served
  }

  private static func ask(
    _ address: HTTPAddress, _ limit: Duration,
    _ question: @escaping @Sendable (borrowing StreamSocket, ContinuousClock.Instant) -> Outcome
  ) async -> Outcome {
    let deadline = ContinuousClock.now + limit
    return await BlockingWork.run {
      do throws(HTTPError) {
        return question(try StreamSocket(connectingTo: address, deadline: deadline), deadline)
      } catch {
        return .refused(error.status.message)
      }
    }
  }
}
