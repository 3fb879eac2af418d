internal import ZeroMQ

/// The choice of the gateway where a session opens or resumes next: the present one, and after a
/// loss another one, if there are others.
///
/// A value without I/O: the caller reports gateways and losses.
struct GatewayChoice: Sendable {
  /// The current gateway, or the gateway of the next attempt; `nil` before one is found.
  private(set) var next: Endpoint?

  /// The gateways where the session may be resumed, as last reported.
  private var known: [Endpoint] = []

  /// The most gateways to remember: more than any installation has, so that a gateway cannot fill
  /// its clients' memory.
  private static let mostKnown = 64

  /// Sets the gateway for the first attempt.
  mutating func begin(at endpoint: Endpoint) { next = endpoint }

  /// Stores the gateways where the session may be resumed.
  ///
  /// An empty list means that the gateway knows no gateways. It changes nothing.
  mutating func take(_ endpoints: [Endpoint]) {
    if !endpoints.isEmpty { known = Array(endpoints.prefix(Self.mostKnown)) }
  }

  /// Chooses another gateway after the present one is lost or drains.
  ///
  /// - Returns: Whether there is another one.
  @discardableResult
  mutating func lose() -> Bool {
    // A single known gateway may be the present one under another address.
    guard let present = next, known.count > 1 else { return false }
    // Take the gateway after the current one in the list, so that all of them are tried.
    let index = known.firstIndex(of: present)
    let others = index.map { known[($0 + 1)...] + known[..<$0] } ?? known[...]
    guard let other = others.first(where: { $0 != present }) else { return false }
    next = other
    return true
  }
}
