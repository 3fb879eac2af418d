public import Wire
internal import ZeroMQ

/// An item of session streams, packed once and shared by every client that receives it.
public final class SharedItem {
  /// The packed `SessionEvents`.
  public let body: [UInt8]
  private var framed: FramedMessage?

  /// The item as its own message, framed for the first client that needs it and shared by the
  /// others.
  var message: FramedMessage {
    if let framed { return framed }
    let message = FramedMessage(header: Self.header, packedBody: body)
    framed = message
    return message
  }

  /// Makes an item from packed events.
  public init(_ body: [UInt8]) { self.body = body }

  /// Packs events into an item.
  public convenience init(_ events: V1.SessionEvents) { self.init(events.packed()) }

  /// Whether the framed message is kept besides the body.
  var isFramed: Bool { framed != nil }

  /// Drops the framed message, after most clients have received it.
  ///
  /// Clients that still wait cause it to be framed again.
  public func forgetFrame() { framed = nil }

  /// Session items carry no call id, so that one frame serves every client.
  private static var header: V1.ReplyHeader { V1.ReplyHeader(callID: 0, kind: .item) }

  /// Returns one message for several items: two concatenated packed lists are one list.
  static func message(of items: some Sequence<SharedItem>) -> FramedMessage {
    FramedMessage(header: header, packedBody: items.flatMap(\.body))
  }
}

/// The newest run of items sent in one message, kept for sessions that wait for the same items.
///
/// Clients of a meeting mostly wait for the same items, and then share the message as they share a
/// single item's.
final class PackedRun {
  private var items: ArraySlice<SharedItem> = []
  private var message: FramedMessage?

  func message(of items: ArraySlice<SharedItem>) -> FramedMessage {
    if let message, items.count == self.items.count,
      zip(items, self.items).allSatisfy({ $0 === $1 })
    {
      return message
    }
    let packed = SharedItem.message(of: items)
    // A copy, so that the session's own queue stays unshared and is modified in place.
    (self.items, message) = (ArraySlice(Array(items)), packed)
    return packed
  }
}

/// The queue of items for one client, within its budget of unread bytes.
///
/// Items queued in one turn of the loop are sent in one message. Bytes sent and not acknowledged by
/// the client's keep-alives are counted. Beyond the budget nothing more is sent, and the owner ends
/// the session. Nothing is ever dropped silently. Lives on its server's thread.
public final class SessionOutbox {
  /// The result of a flush.
  public enum Outcome: Hashable, Sendable {
    /// All waiting items were sent.
    case sent
    /// The client is too slow for its budget.
    case overBudget
    /// The connection is gone.
    case unreachable
  }

  /// The number of bytes sent and not yet acknowledged.
  public var unacknowledged: Int { sentBytes - acknowledged }

  /// Whether no item waits for the next flush.
  public var isEmpty: Bool { waiting.isEmpty }

  private let connection: ClientConnection
  private let server: RequestServer
  private let budget: Int
  private var waiting: [SharedItem] = []
  private(set) var sentBytes = 0
  private var acknowledged = 0

  /// The most items in one message, which bounds the largest frame a client must accept.
  private static let itemsPerMessage = 256

  /// The capacity, in items, that an idle session keeps.
  private static let keptCapacity = 16

  /// - Parameters:
  ///   - route: The connection of the client.
  ///   - server: A server of clients.
  ///   - budget: The most bytes that may be in transit to the client.
  /// - Returns: The outbox, or `nil` when the connection is gone.
  public init?(to route: Route, of server: RequestServer, budget: Int) {
    guard let connection = server.listener?.connection(route) else { return nil }
    self.connection = connection
    self.server = server
    self.budget = budget
  }

  /// Queues an item for the next flush.
  public func queue(_ item: SharedItem) { waiting.append(item) }

  /// Records that the client has read this many bytes of item frames since its session stream
  /// began.
  ///
  /// Ignores a number that falls, or exceeds the bytes sent.
  public func acknowledge(_ bytes: UInt64) {
    guard let bytes = Int(exactly: bytes), bytes <= sentBytes else { return }
    acknowledged = max(acknowledged, bytes)
  }

  /// Whether the client reads so slowly that only events that must not be lost are worth sending.
  public var isCongested: Bool { unacknowledged > budget / 4 }

  /// Sends the waiting items. Items that were not sent keep waiting.
  public func flush() -> Outcome {
    while !waiting.isEmpty {
      let count = min(waiting.count, Self.itemsPerMessage)
      let message =
        count == 1 ? waiting[0].message : server.packedRun.message(of: waiting[..<count])
      // The client's acknowledgement is only a claim. Bytes that its connection has not accepted
      // are certain.
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

  /// Ends the session stream with a status. The client receives nothing after it.
  public func end(_ status: V1.Status?) {
    let header = V1.ReplyHeader(callID: 0, kind: .end, status: status)
    _ = server.send(FramedMessage(header: header, packedBody: []), to: connection)
  }
}
