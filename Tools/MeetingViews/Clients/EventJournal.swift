internal import Trials

/// All that one client has heard, in order and each with its time; others can wait for what comes.
package final class EventJournal<Event: Sendable>: Sendable {
  /// What was heard, and when.
  package struct Entry: Sendable {
    package let event: Event
    package let time: ContinuousClock.Instant
  }

  private let journal = Journal<Entry>()

  package init() {}

  /// Adds what was just heard.
  package func record(_ event: Event) { journal.append(Entry(event: event, time: .now)) }

  /// Nothing more comes: whoever waits need not any longer.
  package func close() { journal.close() }

  /// How many entries there are: what is heard from now on comes behind them.
  package var count: Int { journal.count }

  /// The entries from a position on.
  package func entries(from position: Int) -> [Entry] {
    Array(journal.entries.dropFirst(position))
  }

  /// The first matching entry from a position on, or `nil` if none comes in time, or at all.
  package func first(
    from position: Int, until deadline: ContinuousClock.Instant,
    where matches: @escaping @Sendable (Event) -> Bool
  ) async -> Entry? {
    await journal.first(from: position, until: deadline) { matches($0.event) }
  }
}
