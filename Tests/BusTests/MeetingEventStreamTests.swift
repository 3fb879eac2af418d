import MeetingModel
import Testing
import Wire

@testable import Bus

@Suite(.timeLimit(.minutes(5)))
struct MeetingEventStreamTests {
  @Test func `a replay contains exactly the missing events`() async throws {
    try await withStream(keeping: 10) { stream in
      #expect(stream.replay(epoch: 1, after: 0)?.isEmpty == true)
      for _ in 1...5 { stream.publish(nil) }
      #expect(stream.replay(epoch: 1, after: 5)?.isEmpty == true)
      #expect(stream.replay(epoch: 1, after: 2)?.compactMap(\.header?.sequence) == [3, 4, 5])
      #expect(stream.replay(epoch: 1, after: 0)?.count == 5)
      // The replayed event has the bytes of the published event.
      let event = try #require(stream.replay(epoch: 1, after: 4)?.first)
      #expect(try V1.SessionEvents(packed: event.body).positions.map(\.sequence) == [5])
    }
  }

  @Test func `no replay exists for a position of another epoch or beyond the last event`()
    async throws
  {
    try await withStream(keeping: 10) { stream in
      stream.publish(nil)
      #expect(stream.replay(epoch: 2, after: 0) == nil)
      #expect(stream.replay(epoch: 0, after: 0) == nil)
      #expect(stream.replay(epoch: 1, after: 2) == nil)
      #expect(stream.replay(epoch: 1, after: .max) == nil)
    }
  }

  @Test(arguments: [1, 3, 100])
  func `a stream keeps exactly the configured number of events`(keeping: Int) async throws {
    try await withStream(keeping: keeping) { stream in
      for sequence in 1...1000 as ClosedRange<UInt64> {
        #expect(stream.publish(nil) == sequence)
        let wanted = min(UInt64(keeping), sequence)
        let replay = stream.replay(epoch: 1, after: sequence - wanted)
        #expect(replay?.count == Int(wanted))
        #expect(replay?.last?.header?.sequence == sequence)
        let most = UInt64(keeping)
        if sequence > most { #expect(stream.replay(epoch: 1, after: sequence - most - 1) == nil) }
      }
    }
  }

  @Test func `volatile events are numbered by ticks and take no sequence number`() async throws {
    try await withStream(keeping: 10) { stream in
      var ticks: [UInt64] = []
      for _ in 1...3 {
        stream.publishVolatile { tick in
          ticks.append(tick)
          return V1.SessionEvent()
        }
      }
      #expect(ticks == [1, 2, 3])
      #expect(stream.lastTick == 3)
      #expect(stream.lastSequence == 0)
      #expect(stream.replay(epoch: 1, after: 0)?.isEmpty == true)
    }
  }

  private func withStream(
    keeping: Int, _ body: @escaping @Sendable (MeetingEventStream) throws -> Void
  ) async throws {
    try await withTestBus { bus in
      let publisher = try EventPublisher(
        at: bus.endpoint("events"), instance: "presence-a", term: 1, in: bus.context,
        on: bus.thread)
      defer { publisher.close() }
      try body(publisher.begin(.random(), keeping: keeping))
    }
  }
}
