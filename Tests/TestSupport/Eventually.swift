import Trials

/// Asks until `condition` holds: for what another process or thread knows and tells nobody.
///
/// - Parameters:
///   - limit: The wait ends with an error when so much time has passed.
///   - pause: Between two questions.
/// - Throws: ``Overdue``, or what `condition` throws.
public func eventually(
  _ what: String, within limit: Duration = .seconds(15), every pause: Duration = .milliseconds(20),
  _ condition: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + limit
  while try await !condition() {
    guard ContinuousClock.now < deadline else { throw Overdue(what, after: limit) }
    // There is no event to await: the pause only spares the other side.
    try await Task.sleep(for: pause)
  }
}
