import Bus
import Testing

@testable import Cluster

@Suite struct LiveInstancesTests {
  private let start = ContinuousClock.now

  private func row(
    _ instance: String, beatAt: Int64, term: UInt64 = 1, on host: String = "one"
  ) -> LiveInstances.Row {
    LiveInstances.Row(
      announcement: InstanceAnnouncement(
        service: "presence", instance: instance, endpoints: [:], host: host), term: term,
      processID: 1, startedAt: 0, meetings: 2, isDraining: false, beatAt: beatAt)
  }

  /// Returns the names of the live instances, for a store that started long ago.
  private func live(
    _ judge: inout LiveInstances, _ rows: [LiveInstances.Row], now: Int64, startedAt: Int64 = 0,
    after time: Duration = .zero
  ) -> [String] {
    let look = LiveInstances.Look(rows: rows, now: now, startedAt: startedAt)
    return judge.take(look, on: "one", at: start + time).filter(\.isLive).map(\.instance)
  }

  @Test func `an instance is live while its heartbeat is recent by the store's clock`() {
    var judge = LiveInstances()
    let rows = [row("a", beatAt: 97_000), row("b", beatAt: 96_999), row("c", beatAt: 105_000)]
    #expect(live(&judge, rows, now: 100_000) == ["a", "c"])
    #expect(live(&judge, rows, now: 103_001, after: .seconds(1)) == ["c"])
  }

  @Test func `an instance on another host is marked as remote`() {
    var judge = LiveInstances()
    let look = LiveInstances.Look(
      rows: [row("a", beatAt: 9_000), row("b", beatAt: 9_000, on: "two")], now: 9_000,
      startedAt: 0)
    let found = judge.take(look, on: "one", at: start)
    #expect(found.map(\.isHere) == [true, false])
    #expect(found.map(\.host) == ["one", "two"])
    #expect(found.map(\.meetings) == [2, 2])
  }

  @Test func `live instances have time for a new heartbeat after an outage of the store`() {
    var judge = LiveInstances()
    let rows = [row("a", beatAt: 100_000), row("b", beatAt: 90_000)]
    #expect(live(&judge, rows, now: 100_100) == ["a"])
    // For ten seconds the store does not answer, so no instance could send a heartbeat.
    for tenths in stride(from: 100, to: 140, by: 5) {
      let found = live(
        &judge, rows, now: 100_100 + Int64(tenths) * 100, after: .milliseconds(tenths * 100))
      #expect(found == ["a"])
    }
    // The time for a new heartbeat has passed.
    #expect(live(&judge, rows, now: 114_100, after: .seconds(14)) == [])
  }

  @Test func `a new owner of a name gets no extra time after an outage of the store`() {
    var judge = LiveInstances()
    #expect(live(&judge, [row("a", beatAt: 100_000)], now: 100_100) == ["a"])
    let other = [row("a", beatAt: 103_000, term: 2)]
    #expect(live(&judge, other, now: 110_100, after: .seconds(10)) == [])
  }

  @Test func `live instances have time for a new heartbeat after the store restarts`() {
    // The judge reads the rows for the first time, immediately after a restart of the store.
    var judge = LiveInstances()
    let rows = [
      row("a", beatAt: 50_000), row("b", beatAt: 49_500), row("c", beatAt: 46_000),
      row("d", beatAt: 80_200),
    ]
    #expect(live(&judge, rows, now: 80_300, startedAt: 80_000) == ["a", "b", "d"])
    // An instance that the judge has treated as dead stays dead, even if no other instance has sent
    // a heartbeat.
    var other = LiveInstances()
    #expect(live(&other, [row("a", beatAt: 0)], now: 80_300, startedAt: 80_000) == [])
    #expect(
      live(&judge, rows, now: 84_100, startedAt: 80_000, after: .seconds(1)) == [])
  }

  @Test func `a change of this machine's clock has no effect`() {
    // The result depends only on the store's clock and on the time since the store's start.
    var judge = LiveInstances()
    let far: Int64 = 4_102_444_800_000
    #expect(live(&judge, [row("a", beatAt: far - 10)], now: far) == ["a"])
    #expect(live(&judge, [row("a", beatAt: far - 10)], now: far - 3_600_000) == ["a"])
  }
}
