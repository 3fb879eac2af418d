internal import Foundation

/// Events that wait to be sent, and what becomes of them. A value without a clock or a network.
struct EventQueue: Sendable {
  /// An event as JSON, ready to be sent.
  typealias Payload = Data

  private let flushSize: Int
  private let retryCountLimit: Int
  private var waiting: [Payload] = []

  /// The events of the request that is under way, and how often they were sent before.
  private var underWay: (payloads: [Payload], retries: Int)?

  /// Those of a request that failed and may be repeated.
  private var failed: (payloads: [Payload], retries: Int)?

  /// As many events wait at most; the oldest give way.
  static let capacity = 1000

  /// Answers after which a request may be repeated.
  private static let worthRepeating: Set<Int> = [408, 429, 500, 502, 503, 504]

  /// - Parameters:
  ///   - flushSize: Events in a request, 1 or more.
  ///   - retryCountLimit: How often a request is repeated at most.
  init(flushSize: Int, retryCountLimit: Int) {
    self.flushSize = flushSize
    self.retryCountLimit = retryCountLimit
  }

  /// Whether nothing waits and nothing is under way.
  var isIdle: Bool { waiting.isEmpty && underWay == nil && failed == nil }

  /// Adds an event.
  ///
  /// - Returns: Whether an older one was dropped for it.
  mutating func add(_ payload: Payload) -> Bool {
    waiting.append(payload)
    guard waiting.count > Self.capacity else { return false }
    waiting.removeFirst()
    return true
  }

  /// What is to be sent next: a request that failed, before anything newer.
  ///
  /// - Returns: `nil` while a request is under way, and when nothing waits.
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

  /// The request under way was answered.
  ///
  /// - Parameter statusCode: Of HTTP; `nil` when no answer came.
  /// - Returns: How many events are given up.
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
