internal import CZeroMQ

extension Socket.Kind {
  /// libzmq's number for the pattern.
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

  /// Settings that callers may change again.
  var defaultOptions: [SocketOption] {
    let common: [SocketOption] = [
      .linger(.seconds(1)), .heartbeat(interval: .seconds(2), timeout: .seconds(6)),
      // Well below the time after which somebody who is gone is reported as dropped.
      .reconnect(initial: .milliseconds(50), maximum: .milliseconds(500)),
    ]
    return switch self {
    case .router, .xpub, .pub: common + [.sendHighWaterMark(0)]
    // All that a subscriber sends is what it subscribes to, which a socket that is closed does not
    // need: a publisher that cannot be reached must not hold up the end of the process.
    case .sub: common + [.receiveHighWaterMark(0), .linger(.zero)]
    case .dealer, .pull, .push, .pair: common
    }
  }

  /// Settings that are part of what the kind means here.
  var defaultSwitches: [(option: Int32, value: Int32)] {
    switch self {
    case .router: [(ZMQ_ROUTER_MANDATORY, 1), (ZMQ_ROUTER_HANDOVER, 0)]
    case .dealer: [(ZMQ_IMMEDIATE, 1)]
    case .xpub: [(ZMQ_XPUB_VERBOSE, 1)]
    case .sub, .pub, .pull, .push, .pair: []
    }
  }

  /// Whether libzmq, having lost the peer in the middle of a message, swallows the rest of it.
  var swallowsRestOfBrokenMessage: Bool {
    switch self {
    case .dealer, .push: true
    case .router, .xpub, .sub, .pub, .pull, .pair: false
    }
  }
}
