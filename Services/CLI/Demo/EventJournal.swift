internal import Synchronization

/// All that one client has heard, in order and with the time; others can wait for what comes.
final class EventJournal<Event: Sendable>: Sendable {
  struct Entry: Sendable {
    let event: Event
    let time: ContinuousClock.Instant
  }

  private struct State {
    var entries: [Entry] = []
    var bells: [Int: AsyncStream<Void>.Continuation] = [:]
    var nextBell = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Adds what was just heard.
  func record(_ event: Event) {
    let entry = Entry(event: event, time: .now)
    let bells = state.withLock { state in
      state.entries.append(entry)
      return Array(state.bells.values)
    }
    for bell in bells { bell.yield() }
  }

  /// Nothing more comes: whoever waits need not any longer.
  func close() {
    let bells = state.withLock { state in
      state.isClosed = true
      return Array(state.bells.values)
    }
    for bell in bells { bell.finish() }
  }

  /// How many entries there are: what is heard from now on comes behind them.
  var count: Int { state.withLock { $0.entries.count } }

  /// The entries from a position on.
  func entries(from position: Int) -> [Entry] {
    state.withLock { Array($0.entries.dropFirst(position)) }
  }

  /// The first matching entry from a position on, or `nil` if none comes in time, or at all.
  func first(
    from position: Int, until deadline: ContinuousClock.Instant,
    where matches: @escaping @Sendable (Event) -> Bool
  ) async -> Entry? {
    await withTaskGroup(of: Entry?.self) { tasks in
      tasks.addTask { await self.next(from: position, where: matches) }
      tasks.addTask {
        try? await Task.sleep(until: deadline)
        return nil
      }
      defer { tasks.cancelAll() }
      return await tasks.next() ?? nil
    }
  }

  private func next(
    from position: Int, where matches: @Sendable (Event) -> Bool
  ) async -> Entry? {
    let (news, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = add(bell)
    defer { state.withLock { $0.bells[number] = nil } }
    var position = position
    var iterator = news.makeAsyncIterator()
    repeat {
      let fresh = entries(from: position)
      if let entry = fresh.first(where: { matches($0.event) }) { return entry }
      position += fresh.count
    } while await iterator.next() != nil
    return nil
  }

  private func add(_ bell: AsyncStream<Void>.Continuation) -> Int {
    state.withLock { state in
      if state.isClosed { bell.finish() }
      state.nextBell += 1
      state.bells[state.nextBell] = bell
      return state.nextBell
    }
  }
}
