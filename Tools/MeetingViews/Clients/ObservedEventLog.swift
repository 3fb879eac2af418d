internal import Trials

/// All events of one client in order, with their times; tasks can wait for an event.
package final class ObservedEventLog<Event: Sendable>: Sendable {
  /// An event and its time.
  package struct Entry: Sendable {
    package let event: Event
    package let time: ContinuousClock.Instant
  }

  private let journal = AwaitableEntryList<Entry>()

  package init() {}

  /// Adds an event with the current time.
  package func record(_ event: Event) { journal.append(Entry(event: event, time: .now)) }

  /// Closes the log. Tasks that wait for an event stop waiting.
  package func close() { journal.close() }

  /// The number of entries, which is also the position of the next entry.
  package var count: Int { journal.count }

  /// Returns the entries from a position on.
  package func entries(from position: Int) -> [Entry] {
    Array(journal.entries.dropFirst(position))
  }

  /// Waits for the first matching entry at or after a position.
  ///
  /// - Returns: The entry; `nil` at the deadline, or if the log closes without a matching entry.
  package func first(
    from position: Int, until deadline: ContinuousClock.Instant,
    where matches: @escaping @Sendable (Event) -> Bool
  ) async -> Entry? {
    await journal.first(from: position, until: deadline) { matches($0.event) }
  }
}
