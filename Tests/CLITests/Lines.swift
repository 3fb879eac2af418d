import Synchronization

@testable import CLI

/// The lines a child wrote, for tests that wait for some of them.
final class Lines: Sendable {
  private let lines = Mutex<[String]>([])
  private let news = Mutex<[AsyncStream<Void>.Continuation]>([])

  func add(_ line: String) {
    lines.withLock { $0.append(line) }
    for bell in news.withLock({ $0 }) { bell.yield() }
  }

  var all: [String] { lines.withLock { $0 } }

  /// Returns the lines as soon as they satisfy a condition.
  func wait(until isMet: ([String]) -> Bool) async -> [String] {
    let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    news.withLock { $0.append(bell) }
    var iterator = rings.makeAsyncIterator()
    while !isMet(all) { _ = await iterator.next() }
    return all
  }
}
