internal import CZeroMQ

/// A ZeroMQ socket: one owner, one thread, closed when it goes away.
///
/// Create, use and release it on one thread, usually a ``SocketThread``. Nothing blocks: sending
/// and receiving answer at once.
@safe public struct Socket: ~Copyable {
  /// The patterns in use (zmq_socket(3)).
  public enum Kind: Hashable, Sendable {
    /// Answers many peers, each by its route.
    case router
    /// Calls one peer, or several in turn.
    case dealer
    /// Publishes, and hears who subscribes.
    case xpub
    /// Subscribes to topics.
    case sub
    /// Publishes.
    case pub
    /// Takes what pushers send.
    case pull
    /// Sends to pullers in turn.
    case push
    /// Talks to exactly one peer.
    case pair
  }

  /// Most parts in a message that anybody here sends; see ``receive()`` for longer ones.
  public static let maximumParts = 16

  /// The pattern.
  public let kind: Kind

  let handle: UnsafeMutableRawPointer
  let state: SocketState
  let context: Context  // Must outlive us: zmq_ctx_term(3) waits for every close.

  /// Opens a socket whose options are fit for production, unlike libzmq's own defaults.
  ///
  /// Linger 1 s; heartbeats every 2 s with a 6 s timeout (ipc and tcp); reconnecting after 50 ms,
  /// later up to 0.5 s. A router answers ``SendResult/unroutable`` for an unknown peer and leaves a
  /// routing id with its first owner. A dealer queues only for peers it has reached. An XPUB
  /// reports every subscription, also repeated ones. Router, PUB and XPUB queue without limit, so
  /// that nothing is lost silently: count bytes per peer. Received messages wait without limit on
  /// SUB for the same reason.
  ///
  /// - Throws: ``ZeroMQError/failed(operation:code:)``, when the context has no sockets left or the
  ///   process no descriptors.
  public init(_ kind: Kind, in context: Context) throws(ZeroMQError) {
    // The `try` comes before the last property is set: a noncopyable value cannot be half undone.
    unsafe handle = try Self.open(kind, in: context)
    self.kind = kind
    self.context = context
    state = SocketState()
  }

  deinit {
    precondition(state.watchCount == 0, "Unwatch a socket before it is closed.")
    state.isOpen = false
    _ = unsafe zmq_close(handle)
  }

  private static func open(
    _ kind: Kind, in context: Context
  ) throws(ZeroMQError) -> UnsafeMutableRawPointer {
    let handle = unsafe try context.makeHandle(type: kind.type)
    do throws(ZeroMQError) {
      for option in kind.defaultOptions { unsafe try option.apply(to: handle) }
      for (option, value) in kind.defaultSwitches {
        unsafe try set(option, to: value, on: handle)
      }
    } catch {
      _ = unsafe zmq_close(handle)
      throw error
    }
    return unsafe handle
  }

  static func set(
    _ option: Int32, to value: Int32, on handle: UnsafeMutableRawPointer
  ) throws(ZeroMQError) {
    var value = value
    guard unsafe zmq_setsockopt(handle, option, &value, MemoryLayout<Int32>.size) == 0 else {
      throw .failed(operation: "Setting socket option \(option) to \(value)", code: zmq_errno())
    }
  }

  /// Changes a setting.
  ///
  /// - Throws: ``ZeroMQError/invalidOption(_:code:)``.
  public borrowing func set(_ option: SocketOption) throws(ZeroMQError) {
    state.mayHaveEvents = true
    unsafe try option.apply(to: handle)
  }

  /// Receives messages whose first part begins with `prefix`; only on SUB.
  ///
  /// Every call counts: it takes as many calls of ``unsubscribe(from:)`` to end it.
  public borrowing func subscribe(to prefix: [UInt8]) throws(ZeroMQError) {
    state.mayHaveEvents = true
    guard unsafe zmq_setsockopt(handle, ZMQ_SUBSCRIBE, prefix, prefix.count) == 0 else {
      throw .failed(operation: "Subscribing", code: zmq_errno())
    }
  }

  /// Ends one subscription to exactly this prefix.
  public borrowing func unsubscribe(from prefix: [UInt8]) throws(ZeroMQError) {
    state.mayHaveEvents = true
    guard unsafe zmq_setsockopt(handle, ZMQ_UNSUBSCRIBE, prefix, prefix.count) == 0 else {
      throw .failed(operation: "Unsubscribing", code: zmq_errno())
    }
  }
}
