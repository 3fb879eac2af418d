internal import CZeroMQ

/// A ZeroMQ socket with one owner and one thread, closed on deinitialization.
///
/// Create, use and release a socket on one thread, usually a ``SocketThread``. No call blocks:
/// sending and receiving return immediately.
@safe public struct Socket: ~Copyable {
  /// The patterns in use (zmq_socket(3)).
  public enum Kind: Hashable, Sendable {
    /// Communicates with many peers, each identified by its routing id.
    case router
    /// Communicates with one peer, or distributes messages among several peers in turn.
    case dealer
    /// Publishes to all subscribers, and receives the subscriptions as messages.
    case xpub
    /// Subscribes to topics.
    case sub
    /// Publishes to subscribers.
    case pub
    /// Receives the messages of PUSH sockets.
    case pull
    /// Sends each message to one of the connected PULL sockets, in turn.
    case push
    /// Communicates with exactly one peer.
    case pair
  }

  /// The maximum number of parts of a valid message. See ``receive()`` for messages with more
  /// parts.
  public static let maximumParts = 16

  /// The pattern.
  public let kind: Kind

  let handle: UnsafeMutableRawPointer
  let state: ZMQSocketState
  // The context outlives the socket: zmq_ctx_term(3) waits for every close.
  let context: ZMQContext

  /// Opens a socket with options for production instead of libzmq's defaults.
  ///
  /// - The linger time is 1 s.
  /// - Heartbeats have an interval of 2 s and a timeout of 6 s (ipc and tcp).
  /// - Reconnects start after 50 ms, with delays up to 0.5 s.
  /// - A router returns ``SendResult/unroutable`` for an unknown peer. A routing id remains with
  ///   its first owner.
  /// - A dealer queues only for connected peers.
  /// - An XPUB reports every subscription, including repeated subscriptions.
  /// - Router, PUB and XPUB queue without limit, so that libzmq drops no message silently. The
  ///   caller must count bytes per peer. For the same reason, SUB queues received messages without
  ///   limit.
  ///
  /// - Throws: ``ZeroMQError/failed(operation:code:)``, when the context has no sockets left or the
  ///   process has no descriptors left.
  public init(_ kind: Kind, in context: ZMQContext) throws(ZeroMQError) {
    // The call that may throw comes before the assignment of the last property, because Swift
    // cannot destroy a partially initialized noncopyable value.
    unsafe handle = try Self.open(kind, in: context)
    self.kind = kind
    self.context = context
    state = ZMQSocketState()
  }

  deinit {
    precondition(state.watchCount == 0, "Unwatch a socket before it is closed.")
    state.isOpen = false
    _ = unsafe zmq_close(handle)
  }

  private static func open(
    _ kind: Kind, in context: ZMQContext
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

  /// Subscribes to messages whose first part begins with `prefix`. Only SUB sockets can subscribe.
  ///
  /// The socket counts the calls: each call needs its own call of ``unsubscribe(from:)``.
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
