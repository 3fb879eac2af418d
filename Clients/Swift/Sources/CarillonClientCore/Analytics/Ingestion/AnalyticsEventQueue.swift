internal import Foundation

/// The queue of events to send, with their retries. The queue is a value, and uses no clock and no
/// network.
struct AnalyticsEventQueue: Sendable {
  /// An event, encoded as the JSON that the reporter sends.
  typealias Payload = Data

  private let flushSize: Int
  private let retryCountLimit: Int
  private var waiting: [Payload] = []

  /// The events of the request in flight, and the number of retries of this request.
  private var underWay: (payloads: [Payload], retries: Int)?

  /// The events of a failed request that the reporter may retry, and the number of retries so far.
  private var failed: (payloads: [Payload], retries: Int)?

  /// The maximum number of waiting events. A full queue drops the oldest event.
  static let capacity = 1000

  /// The HTTP status codes after which the reporter may retry a request.
  private static let worthRepeating: Set<Int> = [408, 429, 500, 502, 503, 504]

  /// - Parameters:
  ///   - flushSize: The maximum number of events in a request, at least 1.
  ///   - retryCountLimit: The maximum number of retries of a request.
  init(flushSize: Int, retryCountLimit: Int) {
    self.flushSize = flushSize
    self.retryCountLimit = retryCountLimit
  }

  /// Whether no event waits and no request is in flight.
  var isIdle: Bool { waiting.isEmpty && underWay == nil && failed == nil }

  /// Adds an event.
  ///
  /// - Returns: Whether the queue dropped an older event to make room.
  mutating func add(_ payload: Payload) -> Bool {
    waiting.append(payload)
    guard waiting.count > Self.capacity else { return false }
    waiting.removeFirst()
    return true
  }

  /// Returns the events to send next. The events of a failed request come first.
  ///
  /// - Returns: `nil` while a request is in flight, and when no event waits.
  mutating func next() -> [Payload]? {
    guard underWay == nil else { return nil }
    if let again = failed {
      failed = nil
      underWay = (again.payloads, again.retries + 1)
    } else if !waiting.isEmpty {
      underWay = (Array(waiting.prefix(flushSize)), 0)
      waiting.removeFirst(min(flushSize, waiting.count))
    }
    return underWay?.payloads
  }

  /// Handles the answer to the request in flight.
  ///
  /// - Parameter statusCode: The HTTP status code; `nil` if no answer arrived.
  /// - Returns: The number of dropped events.
  mutating func wasAnswered(_ statusCode: Int?) -> Int {
    guard let request = underWay else { return 0 }
    underWay = nil
    if let statusCode, (200...299).contains(statusCode) { return 0 }
    let isWorthRepeating = statusCode.map(Self.worthRepeating.contains) ?? true
    guard isWorthRepeating, request.retries < retryCountLimit else { return request.payloads.count }
    failed = request
    return 0
  }
}
