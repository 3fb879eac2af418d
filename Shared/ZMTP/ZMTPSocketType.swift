/// The pattern of a socket, by its name in the handshake's metadata (37/ZMTP, "The Socket-Type
/// property").
public enum ZMTPSocketType: String, CaseIterable, Hashable, Sendable {
  /// Sends requests, one at a time.
  case req = "REQ"
  /// Sends replies, one at a time.
  case rep = "REP"
  /// Sends requests without waiting for replies.
  case dealer = "DEALER"
  /// Sends to selected peers.
  case router = "ROUTER"
  /// Publishes to all subscribers.
  case pub = "PUB"
  /// Publishes to all subscribers, and receives the subscriptions as messages.
  case xpub = "XPUB"
  /// Subscribes to the messages of publishers.
  case sub = "SUB"
  /// Subscribes to the messages of publishers, and sends the subscriptions as messages.
  case xsub = "XSUB"
  /// Distributes work.
  case push = "PUSH"
  /// Receives work.
  case pull = "PULL"
  /// Communicates with exactly one peer.
  case pair = "PAIR"

  /// Returns whether sockets of these two types may connect.
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
