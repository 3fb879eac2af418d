import Synchronization
import TestSupport
import Trials
import Wire

/// A random scenario of a meeting. Clients send messages, join late and lose their connections, and
/// the scenario kills messaging and gateways.
final class MessageFaultScenario: Sendable {
  private let meeting: TestMeeting
  private let state: Mutex<State>

  private struct State {
    var random: SeededGenerator
    var talkers: [Talker] = []
    var relays: [ByteRelay] = []
    var sent: [SentMessage] = []
    var lastText = 0
  }

  private static let people = 4
  private static let lateComers = 2
  private static let acts = 40

  /// The lifetimes to choose from, in milliseconds: half of the messages have no lifetime, a
  /// quarter have a short lifetime, and a quarter have a long lifetime.
  private static let lifetimes: [Int32] = [0, 0, 200, 60_000]

  init(_ meeting: TestMeeting, seed: UInt64) {
    self.meeting = meeting
    state = Mutex(State(random: SeededGenerator(seed: seed)))
  }

  /// Plays the scenario, repairs all connections and waits until every client has received the last
  /// messages.
  func play() async throws {
    for _ in 0..<Self.people { try await enter() }
    try await withThrowingTaskGroup(of: Void.self) { talk in
      for act in 0..<Self.acts {
        if act == 15 || act == 28 { try await enter() }
        try await perform(&talk)
      }
      mend()
      try await talk.waitForAll()
    }
    try await hearTheEnd()
  }

  /// Returns the rules that the clients' histories violate, as texts.
  func check() -> [String] {
    state.withLock { state in
      HistoryChecker(sent: state.sent, histories: state.talkers.map(\.history)).violations()
    }
  }

  func end() async {
    let (talkers, relays) = state.withLock { ($0.talkers, $0.relays) }
    for talker in talkers { talker.leave() }
    for relay in relays { relay.close() }
  }

  // MARK: Acts

  private func perform(_ talk: inout ThrowingTaskGroup<Void, any Error>) async throws {
    switch draw(0..<20) {
    case 0: try await restart(meeting.installation.messaging)
    case 1: try await restart(meeting.installation.gateways[draw(0..<2)].process)
    case 2, 3: relays[draw(0..<relays.count)].set(.cut)
    case 4, 5, 6: mend()
    case 7:
      // The seed chooses the time of each action, so this pause does not wait for an event.
      try await Task.sleep(for: .milliseconds(draw(1..<120)))
    default:
      let talker = talkers[draw(0..<talkers.count)]
      for _ in 0..<draw(1..<8) { say(talker, &talk) }
    }
  }

  private func say(_ talker: Talker, _ talk: inout ThrowingTaskGroup<Void, any Error>) {
    let lifetime = Self.lifetimes[draw(0..<Self.lifetimes.count)]
    let (index, text) = state.withLock { state in
      state.lastText += 1
      let text = "\(talker.name)-\(state.lastText)"
      state.sent.append(
        SentMessage(
          text: text, sender: talker.name, lifetimeMs: Int(lifetime),
          listeners: state.talkers.count, outcome: .unknown))
      return (state.sent.count - 1, text)
    }
    talk.addTask { [self] in
      let outcome = await talker.send(text, lifetimeMs: lifetime)
      state.withLock { $0.sent[index].outcome = outcome }
    }
  }

  private func enter() async throws {
    let position = talkers.count
    let installation = meeting.installation
    var made: V1.AttendeeRecord?
    // The scenario may just have killed the gateway. A repeated request returns the same attendee.
    try await eventually("an attendee to be made") {
      made = try? await installation.createAttendee("talker-\(position)", in: meeting.record)
      return made != nil
    }
    guard var attendee = made else { return }
    let gateway = installation.gateways[position % 2]
    let relay = try ByteRelay(
      at: "\(installation.directory)/r\(position).sock", to: gateway.path("client"))
    attendee.meetingID = meeting.record.meetingID
    let talker = Talker(
      attendee, position: position, through: "ipc://\(relay.path)",
      signalingURL: "ws://127.0.0.1:\(gateway.restPort)/control/\(attendee.meetingID)")
    state.withLock { $0.relays.append(relay) }
    try await talker.join()
    state.withLock { $0.talkers.append(talker) }
  }

  private func restart(_ process: ServerProcess) async throws {
    try await process.kill()
    try await process.start()
  }

  private func mend() {
    for relay in relays { relay.set(.open) }
  }

  /// Makes each of two clients send a last message, and waits until all clients have received both
  /// messages. Each client has then received all earlier messages.
  private func hearTheEnd() async throws {
    let (one, other) = (talkers[0], talkers[1])
    for talker in [one, other] {
      var outcome = SentMessage.Outcome.throttled
      while outcome == .throttled {
        outcome = await talker.send("the end of \(talker.name)", lifetimeMs: 60_000)
      }
    }
    for talker in talkers {
      if talker !== one { try await talker.hears("the end of \(one.name)") }
      if talker !== other { try await talker.hears("the end of \(other.name)") }
    }
  }

  // MARK: State

  private var talkers: [Talker] { state.withLock { $0.talkers } }
  private var relays: [ByteRelay] { state.withLock { $0.relays } }

  private func draw(_ range: Range<Int>) -> Int {
    state.withLock { Int.random(in: range, using: &$0.random) }
  }
}
