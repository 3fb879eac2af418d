internal import ZeroMQ

/// At which gateway a session is opened or resumed next: the one where it is, and after a loss
/// another one, if there are others.
///
/// A value: what is known of gateways and losses goes in.
struct GatewayChoice: Sendable {
  /// The gateway where the session is or is tried; `nil` before one was found.
  private(set) var next: Endpoint?

  /// Where the session may be resumed, as its gateways said last.
  private var known: [Endpoint] = []

  /// More than any installation has; a gateway cannot make its clients keep what it likes.
  private static let mostKnown = 64

  /// The session is opened here first.
  mutating func begin(at endpoint: Endpoint) { next = endpoint }

  /// The gateway has said where the session may be resumed; nothing: it does not know.
  mutating func take(_ endpoints: [Endpoint]) {
    if !endpoints.isEmpty { known = Array(endpoints.prefix(Self.mostKnown)) }
  }

  /// The present gateway is lost, or sends its clients away: another one is next.
  ///
  /// - Returns: Whether there is another one.
  @discardableResult
  mutating func lose() -> Bool {
    // The one that is known may be the one that is tried, by another way than its own address.
    guard let present = next, known.count > 1 else { return false }
    // The one behind it in the list, so that each gets its turn.
    let index = known.firstIndex(of: present)
    let others = index.map { known[($0 + 1)...] + known[..<$0] } ?? known[...]
    guard let other = others.first(where: { $0 != present }) else { return false }
    next = other
    return true
  }
}
