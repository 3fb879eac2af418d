/// The id of a timer of a ``SocketThread``.
public struct TimerID: Hashable, Sendable {
  let number: UInt64
}

/// Closures ordered by their due times. Closures with equal times keep the order of scheduling.
///
/// The queue is a binary heap. A cancelled entry remains until it reaches the top, or until
/// cancelled entries outnumber pending entries.
struct TimerQueue {
  typealias Instant = ContinuousClock.Instant

  private struct Entry {
    let deadline: Instant
    let number: UInt64

    func precedes(_ other: Entry) -> Bool {
      (deadline, number) < (other.deadline, other.number)
    }
  }

  private var heap: [Entry] = []
  private var bodies: [UInt64: () -> Void] = [:]
  private var nextNumber: UInt64 = 1

  /// The number of waiting timers.
  var count: Int { bodies.count }

  /// The id of the next timer; see ``popDue(at:before:)``.
  var nextID: TimerID { TimerID(number: nextNumber) }

  mutating func add(at deadline: Instant, _ body: @escaping () -> Void) -> TimerID {
    let number = nextNumber
    nextNumber += 1
    bodies[number] = body
    heap.append(Entry(deadline: deadline, number: number))
    siftUp(from: heap.count - 1)
    return TimerID(number: number)
  }

  /// Cancels a timer.
  ///
  /// - Returns: The timer's closure, or `nil` if the timer has already run, or if the timer's owner
  ///   has already cancelled the timer. The release of a closure can run any code, so the caller
  ///   releases the closure when nothing is changing the queue.
  mutating func cancel(_ timer: TimerID) -> (() -> Void)? {
    guard let body = bodies.removeValue(forKey: timer.number) else { return nil }
    if heap.count > 64, heap.count > 2 * bodies.count {
      // A sorted array is a heap.
      heap = heap.filter { bodies[$0.number] != nil }.sorted { $0.precedes($1) }
    }
    return body
  }

  /// Cancels all timers, and returns their closures.
  mutating func cancelAll() -> [() -> Void] {
    let all = Array(bodies.values)
    bodies.removeAll()
    heap.removeAll()
    return all
  }

  /// Returns the time at which the next timer is due.
  mutating func nextDeadline() -> Instant? {
    dropCancelled()
    return heap.first?.deadline
  }

  /// Removes the first timer that has a deadline up to `now` and an id before `limit`, and returns
  /// the timer's closure.
  mutating func popDue(at now: Instant, before limit: TimerID) -> (() -> Void)? {
    dropCancelled()
    guard let first = heap.first, first.deadline <= now, first.number < limit.number else {
      return nil
    }
    removeFirst()
    return bodies.removeValue(forKey: first.number)
  }

  private mutating func dropCancelled() {
    while let first = heap.first, bodies[first.number] == nil { removeFirst() }
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown(from: 0)
  }

  private mutating func siftUp(from start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      guard heap[index].precedes(heap[parent]) else { return }
      heap.swapAt(index, parent)
      index = parent
    }
  }

  private mutating func siftDown(from start: Int) {
    var index = start
    while true {
      var first = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < heap.count && heap[child].precedes(heap[first]) {
        first = child
      }
      guard first != index else { return }
      heap.swapAt(index, first)
      index = first
    }
  }
}
