internal import ZeroMQ

/// Chooses the gateway at which a session opens or resumes next. The choice is the present gateway
/// or, after a loss, another gateway if the client knows one.
///
/// The type is a value without I/O: the caller reports gateways and losses.
struct GatewaySelector: Sendable {
  /// The present gateway, or the gateway of the next attempt; `nil` before this type has found a
  /// gateway.
  private(set) var next: Endpoint?

  /// The gateways at which the session can resume, from the last report of a gateway.
  private var known: [Endpoint] = []

  /// The maximum number of gateways that the client stores. No installation has more gateways.
  /// Because of this limit, a gateway cannot fill the memory of its clients.
  private static let mostKnown = 64

  /// Sets the gateway for the first attempt.
  mutating func begin(at endpoint: Endpoint) { next = endpoint }

  /// Stores the gateways at which the session can resume.
  ///
  /// If the list is empty, the gateway knows no gateways, and this method changes nothing.
  mutating func take(_ endpoints: [Endpoint]) {
    if !endpoints.isEmpty { known = Array(endpoints.prefix(Self.mostKnown)) }
  }

  /// Chooses another gateway after the loss of the present gateway, or because the present gateway
  /// drains.
  ///
  /// - Returns: Whether the client knows another gateway.
  @discardableResult
  mutating func lose() -> Bool {
    // A single known gateway may be the present gateway under another address.
    guard let present = next, known.count > 1 else { return false }
    // The session moves to the gateway that follows the current gateway in the list. In this way,
    // the session tries all gateways in turn.
    let index = known.firstIndex(of: present)
    let others = index.map { known[($0 + 1)...] + known[..<$0] } ?? known[...]
    guard let other = others.first(where: { $0 != present }) else { return false }
    next = other
    return true
  }
}
