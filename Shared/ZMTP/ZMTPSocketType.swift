/// A pattern that a socket speaks, by its name in the handshake's metadata (37/ZMTP, "The
/// Socket-Type property").
public enum ZMTPSocketType: String, CaseIterable, Hashable, Sendable {
  /// Asks, one request at a time.
  case req = "REQ"
  /// Answers, one request at a time.
  case rep = "REP"
  /// Asks, without waiting for answers.
  case dealer = "DEALER"
  /// Answers whom it wants.
  case router = "ROUTER"
  /// Tells all who subscribed.
  case pub = "PUB"
  /// The same, and hears of subscriptions.
  case xpub = "XPUB"
  /// Subscribes.
  case sub = "SUB"
  /// The same, with subscriptions as messages.
  case xsub = "XSUB"
  /// Hands work out.
  case push = "PUSH"
  /// Takes work.
  case pull = "PULL"
  /// Speaks to one peer alone.
  case pair = "PAIR"

  /// Whether sockets of these two types may speak with each other.
  public func speaks(with peer: ZMTPSocketType) -> Bool {
    switch self {
    case .req: [.rep, .router].contains(peer)
    case .rep: [.req, .dealer].contains(peer)
    case .dealer: [.rep, .dealer, .router].contains(peer)
    case .router: [.req, .dealer, .router].contains(peer)
    case .pub, .xpub: [.sub, .xsub].contains(peer)
    case .sub, .xsub: [.pub, .xpub].contains(peer)
    case .push: peer == .pull
    case .pull: peer == .push
    case .pair: peer == .pair
    }
  }
}
