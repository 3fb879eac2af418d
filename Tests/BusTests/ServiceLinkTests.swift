import MeetingModel
import TestSupport
import Testing
import ZeroMQ

@testable import Bus

@Suite(.timeLimit(.minutes(5))) struct ServiceLinkTests {
  @Test func `an instance whose term fell is ignored until its term rises again`()
    async throws
  {
    try await withTestBus { bus in
      let events = try bus.endpoint("events")
      let schedule = BeaconSchedule(
        every: .milliseconds(50), completeEvery: .milliseconds(50))
      func publisher(inTerm term: UInt64) throws -> EventPublisher {
        try EventPublisher(
          at: events, instance: "presence-a", term: term, in: bus.context, on: bus.thread,
          schedule: schedule)
      }
      let links = ServiceLinks(
        "presence", topic: EventTopic.roster(of:), handlers: .init(), in: bus.context,
        on: bus.thread
      ) { PresenceClient($0) }
      bus.cleanUp { links.close() }
      _ = try links.refresh(with: [
        RegisteredInstance(
          service: "presence", instance: "presence-a",
          endpoints: ["rpc": try bus.endpoint("rpc").text, "events": events.text],
          term: 1, processID: 1, startedAt: 0, isLive: true)
      ])
      let link = try #require(links["presence-a"])
      let former = try publisher(inTerm: 3)
      try await eventually("a beacon") { link.isHeard }
      link.learn(5)
      let later = ContinuousClock.now + .seconds(4)
      link.check(at: later)
      #expect(!link.isHeard)
      // The publisher with the lower term continues to send beacons.
      let subscriber = try EventSubscriber(
        to: events, instance: "presence-a", in: bus.context, on: bus.thread)
      bus.cleanUp { subscriber.close() }
      var beacons = 0
      subscriber.onBeacon = { _ in beacons += 1 }
      try await eventually("beacons") { beacons >= 4 }
      #expect(!link.isHeard && link.term == 5)
      former.close()
      let next = try publisher(inTerm: 6)
      bus.cleanUp { next.close() }
      try await eventually("the new term") { link.isHeard && link.term == 6 }
    }
  }
}
