internal import CZeroMQ

extension Socket.Kind {
  /// libzmq's constant for the pattern.
  var type: Int32 {
    switch self {
    case .router: ZMQ_ROUTER
    case .dealer: ZMQ_DEALER
    case .xpub: ZMQ_XPUB
    case .sub: ZMQ_SUB
    case .pub: ZMQ_PUB
    case .pull: ZMQ_PULL
    case .push: ZMQ_PUSH
    case .pair: ZMQ_PAIR
    }
  }

  /// The initial settings of a socket of this kind. Callers may change these settings.
  var defaultOptions: [SocketOption] {
    let common: [SocketOption] = [
      .linger(.seconds(1)), .heartbeat(interval: .seconds(2), timeout: .seconds(6)),
      // These delays are well below the timeout after which the server reports an absent client as
      // dropped.
      .reconnect(initial: .milliseconds(50), maximum: .milliseconds(500)),
    ]
    return switch self {
    case .router, .xpub, .pub: common + [.sendHighWaterMark(0)]
    // A subscriber sends only subscriptions, which a closed socket does not need. An unreachable
    // publisher must not delay the end of the process.
    case .sub: common + [.receiveHighWaterMark(0), .linger(.zero)]
    case .dealer, .pull, .push, .pair: common
    }
  }

  /// The settings that every socket of this kind has, and that callers cannot change.
  var defaultSwitches: [(option: Int32, value: Int32)] {
    switch self {
    case .router: [(ZMQ_ROUTER_MANDATORY, 1), (ZMQ_ROUTER_HANDOVER, 0)]
    case .dealer: [(ZMQ_IMMEDIATE, 1)]
    case .xpub: [(ZMQ_XPUB_VERBOSE, 1)]
    case .sub, .pub, .pull, .push, .pair: []
    }
  }

  /// Whether libzmq drops the rest of a message if the peer disconnects in the middle of the
  /// message.
  var swallowsRestOfBrokenMessage: Bool {
    switch self {
    case .dealer, .push: true
    case .router, .xpub, .sub, .pub, .pull, .pair: false
    }
  }
}
