import NIOCore
import Storage
import Synchronization

/// Which connection of a browser, since this process began.
struct BrowserNumber: Hashable, Sendable {
  let value: UInt64
}

/// What comes from the connections of browsers, on its way from their event loops to the gateway's
/// socket thread: all that came meanwhile is taken over at once.
final class BrowserMailbox: Sendable {
  enum Event: Sendable {
    case opened(BrowserNumber, BrowserHandshake, NIOLoopBound<WebSocketHandler>)
    /// A whole message.
    case message(BrowserNumber, [UInt8])
    /// An answer to a ping, with what the ping said.
    case pong(BrowserNumber, [UInt8])
    case closed(BrowserNumber)
    /// The listener is about to stop.
    case leaving(BrowserNumber)
  }

  private let events = Mutex<[Event]>([])
  private let last = Atomic<UInt64>(0)
  private let wake = Mutex<(@Sendable () -> Void)?>(nil)

  /// The number of a new connection.
  func makeNumber() -> BrowserNumber {
    BrowserNumber(value: last.add(1, ordering: .relaxed).newValue)
  }

  /// Whoever takes the events over is woken so, once for as many as come before it does.
  func onEvents(_ body: (@Sendable () -> Void)?) { wake.withLock { $0 = body } }

  func post(_ event: Event) {
    let wasEmpty = events.withLock { events in
      defer { events.append(event) }
      return events.isEmpty
    }
    guard wasEmpty else { return }
    wake.withLock { $0 }?()
  }

  /// Everything that has come, in order.
  func take() -> [Event] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
