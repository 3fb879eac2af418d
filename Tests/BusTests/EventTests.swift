import MeetingModel
import Testing
import Wire
import ZeroMQ

@testable import Bus

@Suite(.timeLimit(.minutes(5)))
struct EventTests {
  /// A publisher and a subscriber. Tests can await the subscriber's beacons and events.
  private struct Link {
    let publisher: EventPublisher
    let subscriber: EventSubscriber
    let beacons = Inbox<V1.StreamBeacon>()
    let events = Inbox<Heard>()
    let malformed = Inbox<Bool>()
    let probes = Probes()

    /// Waits until the publisher knows every earlier subscription. Subscriptions take effect in
    /// order. The function therefore subscribes to one more stream and publishes on that stream
    /// until an event arrives.
    func settle() async {
      let stream = publisher.begin(.random(), epoch: Probes.epoch)
      let topic = EventTopic.roster(of: stream.meeting)
      subscriber.subscribe(to: topic)
      while !probes.heard.contains(topic) {
        stream.publish(nil)
        await Task.yield()
      }
      subscriber.unsubscribe(from: topic)
      publisher.endStream(of: stream.meeting)
    }
  }

  /// The events that ``Link/settle()`` publishes.
  private final class Probes {
    static let epoch: UInt64 = 999
    var heard: Set<EventTopic> = []
  }

  private struct Heard: Sendable {
    let topic: EventTopic
    let header: V1.EventHeader
    let body: [UInt8]
  }

  /// A schedule without periodic beacons. The publisher sends a beacon only for a new subscription.
  private static let silent = BeaconSchedule(every: .seconds(1000), completeEvery: .seconds(1000))

  private static func link(
    _ bus: TestBus, schedule: BeaconSchedule = silent, instance: String = "presence-a"
  ) throws -> Link {
    let endpoint = try bus.endpoint("events")
    let publisher = try EventPublisher(
      at: endpoint, instance: "presence-a", term: 3, in: bus.context, on: bus.thread,
      schedule: schedule)
    bus.cleanUp { publisher.close() }
    let subscriber = try EventSubscriber(
      to: endpoint, instance: instance, in: bus.context, on: bus.thread)
    bus.cleanUp { subscriber.close() }
    let link = Link(publisher: publisher, subscriber: subscriber)
    subscriber.onBeacon = { [beacons = link.beacons] in beacons.put($0) }
    subscriber.onEvent = { [events = link.events, probes = link.probes] event in
      guard event.header.epoch != Probes.epoch else { return probes.heard.formUnion([event.topic]) }
      events.put(Heard(topic: event.topic, header: event.header, body: event.body))
    }
    subscriber.onMalformed = { [malformed = link.malformed] in malformed.put(true) }
    return link
  }

  @Test func `events are numbered from 1 and arrive with their header and body`() async throws {
    try await withTestBus { bus in
      let link = try Self.link(bus)
      let stream = link.publisher.begin(.random(), epoch: 7)
      link.subscriber.subscribe(to: .roster(of: stream.meeting))
      await link.settle()
      let only = try ParticipantID("a1a1a1a1-0000-4000-8000-000000000001")
      let ended = V1.EndedSession(sessionID: [1])
      let gone = Status(.notFound, "Deleted.", session: .audioServerHungup)
      let event = V1.SessionEvents.muted(1).events[0]
      #expect(stream.publish(event) == 1)
      #expect(stream.publish(nil, onlyFor: [only], ended: [ended]) == 2)
      stream.publishVolatile { tick in
        var event = V1.SessionEvent()
        event.event = .levelsChanged(V1.LevelsChanged(epoch: 7, tick: tick))
        return event
      }
      #expect(stream.publish(event, exceptFor: [only], meetingEnded: gone) == 3)

      let first = await link.events.next()
      #expect(first.topic == .roster(of: stream.meeting))
      #expect(
        first.header
          == V1.EventHeader(meetingID: stream.meeting.text, epoch: 7, sequence: 1, term: 3))
      #expect(try V1.SessionEvents(packed: first.body) == .muted(1, epoch: 7))
      let second = await link.events.next()
      #expect(second.header.sequence == 2)
      #expect(second.header.onlyFor == [only.text])
      #expect(second.header.ended == [ended])
      #expect(try V1.SessionEvents(packed: second.body).events == [])
      #expect(try V1.SessionEvents(packed: second.body).positions.map(\.sequence) == [2])
      let volatile = await link.events.next().header
      #expect((volatile.sequence, volatile.tick, volatile.epoch) == (0, 1, 7))
      let last = await link.events.next().header
      #expect(last.sequence == 3)
      #expect(last.exceptFor == [only.text])
      #expect(last.meetingEnded.flatMap { Status($0) } == gone)
      #expect(link.malformed.count == 0)
    }
  }

  @Test func `an event that names 250 recipients arrives`() async throws {
    try await withTestBus { bus in
      let link = try Self.link(bus)
      let stream = link.publisher.begin(.random())
      link.subscriber.subscribe(to: .roster(of: stream.meeting))
      await link.settle()
      let many = (0..<250).map { _ in ParticipantID(AttendeeID.random()) }
      stream.publish(nil, onlyFor: IDTexts(many))
      #expect(await link.events.next().header.onlyFor == many.map(\.text))
      #expect(link.malformed.count == 0)
    }
  }

  @Test func `a subscriber gets only the events of the meetings that it subscribes to`()
    async throws
  {
    try await withTestBus { bus in
      let link = try Self.link(bus)
      let mine = link.publisher.begin(.random())
      let other = link.publisher.begin(.random())
      link.subscriber.subscribe(to: .roster(of: mine.meeting))
      await link.settle()
      other.publish(nil)
      mine.publish(nil)
      #expect(await link.events.next().header.meetingID == mine.meeting.text)
      link.subscriber.subscribe(to: .roster(of: other.meeting))
      link.subscriber.unsubscribe(from: .roster(of: mine.meeting))
      await link.settle()
      mine.publish(nil)
      other.publish(nil)
      #expect(await link.events.next().header.meetingID == other.meeting.text)
      #expect(link.events.count == 0)
    }
  }

  @Test func `a subscriber to m-1 gets no beacons of m-10`() async throws {
    try await withTestBus { bus in
      // The subscriber does not receive the beacons of presence-a.
      let link = try Self.link(bus, instance: "m-1")
      await link.settle()
      for instance in ["m-10", "m-1", "m-", "m-1"] {
        let beacon = V1.StreamBeacon(instance: instance)
        link.publisher.publish(
          on: .beacon(of: instance), ArenaWireFrame(header: V1.EventHeader(), body: beacon))
      }
      #expect(await link.beacons.next().instance == "m-1")
      #expect(await link.beacons.next().instance == "m-1")
    }
  }

  @Test func `a new subscriber immediately gets a complete beacon`() async throws {
    try await withTestBus { bus in
      let link = try Self.link(bus)
      let streams = (0..<3).map { _ in link.publisher.begin(.random(), epoch: 5) }
      streams[1].publish(nil)
      let beacon = await link.beacons.first { $0.positions.count == 3 }
      #expect(beacon.instance == "presence-a")
      #expect(beacon.term == 3)
      #expect(beacon.isComplete)
      let expected = Set(
        streams.enumerated().map { index, stream in
          V1.MeetingPosition(
            meetingID: stream.meeting.text, epoch: 5, lastSequence: index == 1 ? 1 : 0)
        })
      #expect(Set(beacon.positions) == expected)

      let endpoint = try bus.endpoint("events")
      let late = try EventSubscriber(
        to: endpoint, instance: "presence-a", in: bus.context, on: bus.thread)
      defer { late.close() }
      let beacons = Inbox<V1.StreamBeacon>()
      late.onBeacon = { beacons.put($0) }
      link.publisher.endStream(of: streams[0].meeting)
      let second = await beacons.next()
      #expect(second.isComplete)
      #expect(second.positions.count == 2)
    }
  }

  @Test func `when a meeting becomes unattended, a beacon that lists the meeting is sent early`()
    async throws
  {
    try await withTestBus { bus in
      let schedule = BeaconSchedule(every: .seconds(1000))
      let link = try Self.link(bus, schedule: schedule)
      let (alone, other) = (link.publisher.begin(.random()), link.publisher.begin(.random()))
      _ = await link.beacons.first { $0.isComplete }
      other.publish(nil)
      alone.publish(nil)
      alone.isUnattended = true
      let beacon = await link.beacons.first { !$0.isComplete }
      #expect(beacon.positions.map(\.meetingID) == [alone.meeting.text])
      #expect(beacon.positions.map(\.lastSequence) == [1])
      #expect(beacon.positions.map(\.isUnattended) == [true])
    }
  }

  @Test func `a beacon between two complete beacons lists only recent and subscribed meetings`()
    async throws
  {
    try await withTestBus { bus in
      let schedule = BeaconSchedule(
        every: .milliseconds(5), completeEvery: .seconds(1000), recent: .zero)
      let link = try Self.link(bus, schedule: schedule)
      let stream = link.publisher.begin(.random())
      _ = await link.beacons.first { $0.isComplete }
      for _ in 1...3 {
        let beacon = await link.beacons.first { !$0.isComplete }
        #expect(beacon.positions == [])
      }
      link.subscriber.subscribe(to: .roster(of: stream.meeting))
      let beacon = await link.beacons.first { !$0.isComplete && !$0.positions.isEmpty }
      #expect(beacon.positions.map(\.meetingID) == [stream.meeting.text])
      #expect(await link.beacons.next().positions == [])
    }
  }

  @Test func `every beacon lists recent meetings, and complete beacons are sent repeatedly`()
    async throws
  {
    try await withTestBus { bus in
      let schedule = BeaconSchedule(
        every: .milliseconds(2), completeEvery: .milliseconds(6), recent: .seconds(1000))
      let link = try Self.link(bus, schedule: schedule)
      let stream = link.publisher.begin(.random())
      _ = await link.beacons.first { !$0.positions.isEmpty }
      var complete = 0
      while complete < 3 {
        let beacon = await link.beacons.next()
        #expect(beacon.positions.map(\.meetingID) == [stream.meeting.text])
        if beacon.isComplete { complete += 1 }
      }
    }
  }

  @Test func `a beacon is sent every second and a complete beacon every thirty seconds`()
    async throws
  {
    let schedule = BeaconSchedule()
    #expect(schedule.every == .seconds(1))
    #expect(schedule.completeEvery == .seconds(30))
    #expect(schedule.recent == .seconds(10))
    try await withTestBus { bus in
      let link = try Self.link(bus, schedule: schedule)
      _ = await link.beacons.first { $0.isComplete }
      let began = bus.thread.now
      let beacon = await link.beacons.first { !$0.isComplete }
      #expect(beacon.positions == [])
      #expect(bus.thread.now - began >= .milliseconds(900))
    }
  }

  @Test func `bytes that are not an event are reported and ignored`() async throws {
    try await withTestBus { bus in
      let publisher = try RawPeer(.xpub, in: bus.context, on: bus.thread)
      bus.cleanUp { publisher.close() }
      let endpoint = try bus.endpoint("events")
      try publisher.bind(to: endpoint)
      let subscriber = try EventSubscriber(
        to: endpoint, instance: "a", in: bus.context, on: bus.thread)
      bus.cleanUp { subscriber.close() }
      let malformed = Inbox<Bool>()
      let beacons = Inbox<V1.StreamBeacon>()
      subscriber.onMalformed = { malformed.put(true) }
      subscriber.onBeacon = { beacons.put($0) }
      _ = await publisher.messages.next()
      let topic = Array("beacon/a/".utf8)
      let header = V1.EventHeader()
      let bad: [[UInt8]] = [
        topic, topic + [0xff, 0xff, 0xff, 0xff, 0xff], topic + [2, 0x0f, 0],
        topic + WireFrame.pack(header: header, packedBody: [0x0f]),
      ]
      for bytes in bad { try publisher.send(MessageFrame(bytes)) }
      try publisher.send(
        MessageFrame(topic + WireFrame.pack(header: header, body: V1.StreamBeacon(term: 9))))
      #expect(await beacons.next().term == 9)
      #expect(malformed.count == bad.count)
    }
  }
}

extension EventPublisher {
  /// Begins a stream with the tests' defaults.
  func begin(_ meeting: MeetingID, epoch: UInt64 = 1, keeping: Int = 1024) -> MeetingEventStream {
    beginStream(
      of: meeting, name: "roster", topic: .roster(of: meeting), epoch: epoch, keeping: keeping)
  }
}
