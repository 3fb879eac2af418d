import Testing

@testable import ZeroMQ

@Suite struct AlarmTests {
  @Test func `a newly set time replaces the previous time`() async throws {
    let notes = try await called { alarm, note in
      alarm.set(after: .milliseconds(1)) { note(1) }
      alarm.set(after: .milliseconds(2)) { note(2) }
    }
    #expect(notes == [2])
  }

  @Test func `setting an alarm conditionally does not change an alarm that is already set`()
    async throws
  {
    let notes = try await called { alarm, note in
      alarm.setUnlessSet(after: .milliseconds(1)) { note(1) }
      alarm.setUnlessSet(after: .zero) { note(2) }
    }
    #expect(notes == [1])
  }

  @Test func `a cancelled alarm does not call its closure and can be set again`() async throws {
    let notes = try await called { alarm, note in
      alarm.cancel()
      alarm.set(after: .zero) { note(1) }
      #expect(alarm.isSet)
      alarm.cancel()
      #expect(!alarm.isSet)
      alarm.setUnlessSet(after: .zero) { note(2) }
    }
    #expect(notes == [2])
  }

  @Test func `while the closure of an alarm runs, the alarm is not set and can be set again`()
    async throws
  {
    let notes = try await called { alarm, note in
      alarm.set(after: .zero) {
        note(alarm.isSet ? 0 : 1)
        alarm.setUnlessSet(after: .milliseconds(1)) { note(2) }
      }
    }
    #expect(notes == [1, 2])
  }

  @Test func `an alarm releases its closure after the call and after a cancellation`() async throws
  {
    try await withThread { _, thread in
      let isGone = try await on(thread) { () -> [Bool] in
        let alarm = ThreadTimer(on: thread)
        weak var cancelled: Box<Int>?
        weak var called: Box<Int>?
        do {
          let box = Box(0)
          cancelled = box
          alarm.set(after: .zero) { box.value += 1 }
        }
        alarm.cancel()
        await withCheckedContinuation { continuation in
          let box = Box(0)
          called = box
          alarm.set(after: .zero) { box.value += 1 }
          _ = thread.schedule(after: .milliseconds(10)) { continuation.resume() }
        }
        return [cancelled == nil, called == nil, !alarm.isSet]
      }
      #expect(isGone == [true, true, true])
    }
  }

  /// Returns the numbers that `body` notes within 25 ms.
  private func called(
    _ body: @escaping @Sendable (_ alarm: ThreadTimer, _ note: @escaping (Int) -> Void) -> Void
  ) async throws -> [Int] {
    try await withThread { _, thread in
      try await on(thread) {
        let notes = Box<[Int]>([])
        await withCheckedContinuation { continuation in
          body(ThreadTimer(on: thread)) { notes.value.append($0) }
          _ = thread.schedule(after: .milliseconds(25)) { continuation.resume() }
        }
        return notes.value
      }
    }
  }
}
