import NIOCore
import Storage
import Synchronization

/// The number of a browser's connection, unique within one run of the process.
struct BrowserConnectionID: Hashable, Sendable {
  let value: UInt64
}

/// The queue of events from the browsers' event loops to the gateway's socket thread.
///
/// One ``take()`` returns every event posted so far.
final class BrowserEventQueue: Sendable {
  enum Event: Sendable {
    case opened(BrowserConnectionID, WebSocketUpgradeRequest, NIOLoopBound<WebSocketHandler>)
    /// A complete message.
    case message(BrowserConnectionID, [UInt8])
    /// A pong, with the payload of the ping that it answers.
    case pong(BrowserConnectionID, [UInt8])
    case closed(BrowserConnectionID)
    /// The server that accepted the connection is about to stop.
    case leaving(BrowserConnectionID)
  }

  private let events = Mutex<[Event]>([])
  private let last = Atomic<UInt64>(0)
  private let wake = Mutex<(@Sendable () -> Void)?>(nil)

  /// Returns the number of a new connection.
  func makeNumber() -> BrowserConnectionID {
    BrowserConnectionID(value: last.add(1, ordering: .relaxed).newValue)
  }

  /// Sets the handler that wakes the socket thread.
  ///
  /// The handler runs when an event arrives in the empty queue, so the handler runs once for each
  /// batch of events.
  func onEvents(_ body: (@Sendable () -> Void)?) { wake.withLock { $0 = body } }

  func post(_ event: Event) {
    let wasEmpty = events.withLock { events in
      defer { events.append(event) }
      return events.isEmpty
    }
    guard wasEmpty else { return }
    wake.withLock { $0 }?()
  }

  /// Removes and returns all posted events, in order.
  func take() -> [Event] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
