public import Wire
internal import ZeroMQ

/// An item of session streams. The gateway packs the item once for all clients that receive the
/// item.
public final class PackedSessionEvents {
  /// The packed `SessionEvents`.
  public let body: [UInt8]
  private var framed: ZMTPFramedMessage?

  /// The item as a separate message. The item frames this message when the first client needs the
  /// message. Later clients share the framed message.
  var message: ZMTPFramedMessage {
    if let framed { return framed }
    let message = ZMTPFramedMessage(header: Self.header, packedBody: body)
    framed = message
    return message
  }

  /// Makes an item from packed events.
  public init(_ body: [UInt8]) { self.body = body }

  /// Packs events into an item.
  public convenience init(_ events: V1.SessionEvents) { self.init(events.packed()) }

  /// Whether the item keeps its framed message in addition to the body.
  var isFramed: Bool { framed != nil }

  /// Drops the framed message to free the memory of the message. The caller uses this method after
  /// most clients have received the message.
  ///
  /// If another client needs the message, the item frames it again.
  public func forgetFrame() { framed = nil }

  /// The header of session items. The header contains no call id, so one frame is valid for every
  /// client.
  private static var header: V1.ReplyHeader { V1.ReplyHeader(callID: 0, kind: .item) }

  /// Returns one message for several items. The method concatenates the packed lists of the items,
  /// and the result is one packed list.
  static func message(of items: some Sequence<PackedSessionEvents>) -> ZMTPFramedMessage {
    ZMTPFramedMessage(header: header, packedBody: items.flatMap(\.body))
  }
}

/// The most recent message with several items, kept for sessions that need the same items.
///
/// Sessions of a meeting mostly wait for the same items, so these sessions can share this message.
final class PackedMessageCache {
  private var items: ArraySlice<PackedSessionEvents> = []
  private var message: ZMTPFramedMessage?

  func message(of items: ArraySlice<PackedSessionEvents>) -> ZMTPFramedMessage {
    if let message, items.count == self.items.count,
      zip(items, self.items).allSatisfy({ $0 === $1 })
    {
      return message
    }
    let packed = PackedSessionEvents.message(of: items)
    // `self.items` becomes a copy of `items`. So the session has the only reference to the
    // session's queue, and can modify the queue in place.
    (self.items, message) = (ArraySlice(Array(items)), packed)
    return packed
  }
}

/// The queue of items for one client, with a budget of unread bytes.
///
/// The outbox sends all items of one turn of the loop in one message. The outbox counts the sent
/// bytes that the client has not acknowledged. When these bytes exceed the budget, the outbox sends
/// nothing more, and the owner ends the session. So the outbox never drops an item silently. All
/// calls run on the thread of the outbox's server.
public final class SessionOutbox {
  /// The result of a flush.
  public enum Outcome: Hashable, Sendable {
    /// The outbox has sent all waiting items.
    case sent
    /// The client has left more bytes unread than the budget allows.
    case overBudget
    /// The connection has closed.
    case unreachable
  }

  /// The number of bytes sent and not yet acknowledged.
  public var unacknowledged: Int { sentBytes - acknowledged }

  /// Whether the next flush has nothing to send.
  public var isEmpty: Bool { waiting.isEmpty }

  private let connection: ListenerPeerConnection
  private let server: RequestServer
  private let budget: Int
  private var waiting: [PackedSessionEvents] = []
  private(set) var sentBytes = 0
  private var acknowledged = 0

  /// The maximum number of items in one message. This maximum limits the size of the frames that a
  /// client must accept.
  private static let itemsPerMessage = 256

  /// The queue capacity, in items, that an idle session keeps.
  private static let keptCapacity = 16

  /// - Parameters:
  ///   - route: The connection of the client.
  ///   - server: A server of clients.
  ///   - budget: The maximum number of sent bytes that the client has not acknowledged.
  /// - Returns: The outbox, or `nil` when the connection has closed.
  public init?(to route: RoutingID, of server: RequestServer, budget: Int) {
    guard let connection = server.listener?.connection(route) else { return nil }
    self.connection = connection
    self.server = server
    self.budget = budget
  }

  /// Queues an item for the next flush.
  public func queue(_ item: PackedSessionEvents) { waiting.append(item) }

  /// Records the number of bytes of item frames that the client has read since the start of its
  /// session stream.
  ///
  /// Ignores a number that is lower than the last acknowledged number, or higher than the number of
  /// sent bytes.
  public func acknowledge(_ bytes: UInt64) {
    guard let bytes = Int(exactly: bytes), bytes <= sentBytes else { return }
    acknowledged = max(acknowledged, bytes)
  }

  /// Whether the client reads so slowly that volatile events are not worth sending.
  public var isCongested: Bool { unacknowledged > budget / 4 }

  /// Sends the waiting items. If the connection does not accept an item, the item remains in the
  /// queue.
  public func flush() -> Outcome {
    while !waiting.isEmpty {
      let count = min(waiting.count, Self.itemsPerMessage)
      let message =
        count == 1 ? waiting[0].message : server.packedRun.message(of: waiting[..<count])
      // The client's acknowledgement is only a claim. The server knows how many bytes the
      // connection has not accepted.
      let unread = max(unacknowledged, connection.isBehind ? connection.unsent : 0)
      guard unread + message.count <= budget else { return .overBudget }
      guard server.send(message, to: connection) == .sent else { return .unreachable }
      if count == waiting.count, waiting.capacity > Self.keptCapacity {
        waiting = []
      } else {
        waiting.removeFirst(count)
      }
      sentBytes += message.count
    }
    return .sent
  }

  /// Ends the session stream with a status, and sends nothing after the status.
  public func end(_ status: V1.Status?) {
    let header = V1.ReplyHeader(callID: 0, kind: .end, status: status)
    _ = server.send(ZMTPFramedMessage(header: header, packedBody: []), to: connection)
  }
}
