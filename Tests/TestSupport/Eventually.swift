import Trials

/// Polls `condition` until it is true. Use this function for a state of another process or thread
/// that emits no event.
///
/// - Parameters:
///   - limit: The maximum time to wait.
///   - pause: The time between two calls of `condition`.
/// - Throws: ``TimeoutError`` after `limit`, or the error of `condition`.
public func eventually(
  _ what: String, within limit: Duration = .seconds(50), every pause: Duration = .milliseconds(20),
  _ condition: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + limit
  while try await !condition() {
    guard ContinuousClock.now < deadline else { throw TimeoutError(what, after: limit) }
    // There is no event to await. The pause only reduces the load.
    try await Task.sleep(for: pause)
  }
}
