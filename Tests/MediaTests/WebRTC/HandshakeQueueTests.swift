import MeetingModel
import Testing
import WebRTC

@testable import Media

@Suite struct HandshakeQueueTests {
  private let ada = SessionID.random()
  private let address = PeerAddress.udp(UDPAddress(host: [192, 0, 2, 7], port: 4_000))

  /// Returns the first byte of each waiting datagram for which this turn has time.
  private func take(_ most: Int = .max, from lane: inout HandshakeQueue) -> [UInt8] {
    var numbers: [UInt8] = []
    while numbers.count < most, case .read(let datagram, _)? = lane.next()?.work {
      numbers += datagram.prefix(1)
    }
    return numbers
  }

  /// Returns the sessions whose alarms are due.
  private func ring(_ alarms: inout SessionTimerQueue, at time: ContinuousClock.Instant)
    -> [SessionID]
  {
    var sessions: [SessionID] = []
    while let session = alarms.takeDue(at: time) { sessions.append(session) }
    return sessions
  }

  @Test func `work waits in the queue, in order, until a turn has time for the work`() {
    var lane = HandshakeQueue()
    #expect(lane.isFree)
    lane.spend(HandshakeQueue.mostOfTurn)
    #expect(!lane.isFree && !lane.hasTime)
    for number in 1...3 as ClosedRange<UInt8> {
      let isAdded = lane.append(.read([number], from: address), of: ada)
      #expect(isAdded)
    }
    #expect(take(from: &lane) == [] && lane.count == 3)
    lane.beginTurn()
    #expect(lane.hasTime && !lane.isFree, "New work waits behind older work.")
    #expect(take(1, from: &lane) == [1])
    lane.spend(HandshakeQueue.mostOfTurn)
    #expect(take(from: &lane) == [])
    lane.beginTurn()
    #expect(take(from: &lane) == [2, 3] && lane.isFree)
  }

  @Test func `a full queue refuses work`() {
    var lane = HandshakeQueue()
    for _ in 0..<HandshakeQueue.capacity { _ = lane.append(.begin(.server), of: ada) }
    let isExcessAdded = lane.append(.begin(.server), of: ada)
    #expect(!isExcessAdded && lane.count == HandshakeQueue.capacity)
    _ = lane.next()
    let isAdded = lane.append(.begin(.server), of: ada)
    #expect(isAdded)
  }

  @Test func `timers expire in order, once for each session`() {
    var alarms = SessionTimerQueue()
    let (now, bea) = (ContinuousClock.now, SessionID.random())
    alarms.set(now + .seconds(2), for: ada)
    alarms.set(now + .seconds(3), for: ada)
    alarms.set(now + .seconds(1), for: bea)
    #expect(alarms.next == now + .seconds(1))
    #expect(ring(&alarms, at: now) == [])
    #expect(ring(&alarms, at: now + .seconds(9)) == [bea, ada])
    #expect(alarms.next == nil)
  }

  @Test
  func `an earlier timer replaces a session's later timer, and a cancelled timer never expires`() {
    var alarms = SessionTimerQueue()
    let now = ContinuousClock.now
    alarms.set(now + .seconds(2), for: ada)
    alarms.set(now + .seconds(1), for: ada)
    #expect(ring(&alarms, at: now + .seconds(5)) == [ada])
    alarms.set(now + .seconds(1), for: ada)
    alarms.cancel(ada)
    #expect(ring(&alarms, at: now + .seconds(5)) == [])
  }
}
