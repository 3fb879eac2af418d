public import Wire
internal import ZeroMQ

/// An item of session streams, packed once and shared by every client that gets it.
public final class SharedItem {
  /// The packed `SessionEvents`.
  public let body: [UInt8]
  private var framed: FramedMessage?

  /// The item as it leaves alone: framed when the first client needs it, for all others too.
  var message: FramedMessage {
    if let framed { return framed }
    let message = FramedMessage(header: Self.header, packedBody: body)
    framed = message
    return message
  }

  /// Takes an item that was packed already.
  public init(_ body: [UInt8]) { self.body = body }

  /// Packs events, once.
  public convenience init(_ events: V1.SessionEvents) { self.init(events.packed()) }

  /// Whether the item is kept twice, once as it leaves.
  var isFramed: Bool { framed != nil }

  /// Keeps the item once: most clients have got it. Whoever still waits has it framed anew.
  public func forgetFrame() { framed = nil }

  /// Session items carry no call id, so that one frame serves every client.
  private static var header: V1.ReplyHeader { V1.ReplyHeader(callID: 0, kind: .item) }

  /// One message for several waiting items: two packed lists one behind the other are one list.
  static func message(of items: some Sequence<SharedItem>) -> FramedMessage {
    FramedMessage(header: header, packedBody: items.flatMap(\.body))
  }
}

/// The newest run of items that left in one message, kept for the sessions that wait for the same
/// ones.
///
/// Clients of a meeting mostly do, and then share its message as they share a single item's.
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
    // A copy, so that the session's own queue stays unshared and is changed in place.
    (self.items, message) = (ArraySlice(Array(items)), packed)
    return packed
  }
}

/// What waits for one client, within its budget of unread bytes.
///
/// Items queued in one turn of the loop leave in one message. Bytes sent and not acknowledged by
/// the client's keep-alives are counted; past the budget nothing more is sent and the owner ends
/// the session. Nothing is ever dropped silently. Lives on its server's thread.
public final class SessionOutbox {
  /// What came of a flush.
  public enum Outcome: Hashable, Sendable {
    /// All that waited is under way.
    case sent
    /// The client is too slow for its budget.
    case overBudget
    /// The connection is gone.
    case unreachable
  }

  /// Bytes sent and not yet acknowledged.
  public var unacknowledged: Int { sentBytes - acknowledged }

  /// Whether something waits for the next flush.
  public var isEmpty: Bool { waiting.isEmpty }

  private let connection: ClientConnection
  private let server: RequestServer
  private let budget: Int
  private var waiting: [SharedItem] = []
  private(set) var sentBytes = 0
  private var acknowledged = 0

  /// Items in one message at most: bounds the largest frame a client must take.
  private static let itemsPerMessage = 256

  /// Room for as many items stays with an idle session.
  private static let keptCapacity = 16

  /// - Parameters:
  ///   - route: The connection of the client.
  ///   - server: One of clients.
  ///   - budget: Bytes that may be under way to the client.
  /// - Returns: `nil` when the connection is gone.
  public init?(to route: Route, of server: RequestServer, budget: Int) {
    guard let connection = server.listener?.connection(route) else { return nil }
    self.connection = connection
    self.server = server
    self.budget = budget
  }

  /// Queues an item for the next flush.
  public func queue(_ item: SharedItem) { waiting.append(item) }

  /// The client has read this many bytes of item frames since its session stream began.
  ///
  /// A number that goes back, or is above what was sent, is not believed.
  public func acknowledge(_ bytes: UInt64) {
    guard let bytes = Int(exactly: bytes), bytes <= sentBytes else { return }
    acknowledged = max(acknowledged, bytes)
  }

  /// Whether the client reads so slowly that only what must not be lost is worth sending.
  public var isCongested: Bool { unacknowledged > budget / 4 }

  /// Sends what waits; what was not sent keeps waiting.
  public func flush() -> Outcome {
    while !waiting.isEmpty {
      let count = min(waiting.count, Self.itemsPerMessage)
      let message =
        count == 1 ? waiting[0].message : server.packedRun.message(of: waiting[..<count])
      // What the client says it has read is its word; what its connection has not taken is not.
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

  /// Ends the session stream with its status; the client hears nothing after it.
  public func end(_ status: V1.Status?) {
    let header = V1.ReplyHeader(callID: 0, kind: .end, status: status)
    _ = server.send(FramedMessage(header: header, packedBody: []), to: connection)
  }
}
