import Synchronization

@testable import CarillonClientCore

/// A clock that only the test moves, and the schedulers that use this clock.
final class ManualTime: Sendable {
  private struct Timer: Sendable {
    let intervalMs: Int64
    let callback: @Sendable () -> Void
    var dueMs: Int64?
  }

  private struct State: Sendable {
    var nowMs: Int64 = 0
    var timers: [Timer] = []
  }

  private final class ManualScheduler: Scheduler, Sendable {
    let time: ManualTime
    let index: Int

    init(time: ManualTime, index: Int) {
      self.time = time
      self.index = index
    }

    func start() { time.setRunning(true, timerAt: index) }
    func stop() { time.setRunning(false, timerAt: index) }
  }

  private let state = Mutex(State())

  var nowMs: Int64 { state.withLock { $0.nowMs } }

  var runningTimers: Int { state.withLock { $0.timers.count { $0.dueMs != nil } } }

  /// Moves the clock. Runs the timers that become due, in order.
  func advance(byMs step: Int64) {
    let endMs = nowMs + step
    while let callback = nextCallback(until: endMs) { callback() }
    state.withLock { $0.nowMs = endMs }
  }

  func makeScheduler(
    intervalMs: Int, callback: @escaping @Sendable () -> Void
  ) -> any Scheduler {
    let index = state.withLock { state in
      state.timers.append(Timer(intervalMs: Int64(intervalMs), callback: callback))
      return state.timers.count - 1
    }
    return ManualScheduler(time: self, index: index)
  }

  private func setRunning(_ isRunning: Bool, timerAt index: Int) {
    state.withLock { state in
      guard isRunning else { return state.timers[index].dueMs = nil }
      guard state.timers[index].dueMs == nil else { return }
      state.timers[index].dueMs = state.nowMs + state.timers[index].intervalMs
    }
  }

  private func nextCallback(until endMs: Int64) -> (@Sendable () -> Void)? {
    state.withLock { state in
      let due = state.timers.indices.filter { state.timers[$0].dueMs.map { $0 <= endMs } ?? false }
      guard
        let index = due.min(by: {
          (state.timers[$0].dueMs ?? 0) < (state.timers[$1].dueMs ?? 0)
        })
      else { return nil }
      let dueMs = state.timers[index].dueMs ?? state.nowMs
      state.nowMs = dueMs
      state.timers[index].dueMs = dueMs + state.timers[index].intervalMs
      return state.timers[index].callback
    }
  }
}
