import MeetingModel
import OwnerTestSupport
import Storage
import TestSupport

@testable import Messaging

/// Messaging, its disk, a gateway and its clients under random operations from a seed.
///
/// The simulation loses events and connections, and lets commits fail. The simulation may stop the
/// service at any time. The service restarts with the durable state. The simulation throws a
/// ``Violation`` at the first broken rule.
struct MessagingSimulation {
  private let seed: UInt64
  private var random: SeededGenerator
  private var step = 0
  private var now = start
  private var lastAttempt = 0

  /// The service; `nil` while the service is stopped.
  private var service: MessageLogs?
  private var disk = FakeDisk()
  private var underWay: (batch: MessagesBatch, answers: [Answer])?
  private var waiting: [Answer] = []

  /// The events in transit to the gateway, and the gateway's position.
  private var events: [StoredMessage] = []
  private var followed: UInt64?

  private var clients: [SimulatedClient]

  // The state of all messages, independent of who sees them.
  private var epoch: UInt64?
  private var durable: [UInt64: StoredMessage] = [:]
  private var newest: [UInt64: Int] = [:]
  private var acknowledged: [Int: UInt64] = [:]
  private var throttled: Set<Int> = []
  private var keptCount = 0
  private var keptNumbers: [Int: Int] = [:]

  private static let rules = MessagingRules(
    maxKept: 8, resumeWindowMs: 20_000, recent: .init(messages: 5, bytes: 4_000),
    rate: RateLimit(perSecond: 20, burst: 10),
    attendeeFlood: RateLimit(perSecond: 30, burst: 40),
    meetingFlood: RateLimit(perSecond: 60, burst: 80))

  /// An answer that waits until the disk has stored all earlier decisions.
  private enum Answer {
    case accepted(client: Int, attempt: Int, sequence: UInt64)
    case joined(client: Int, device: UInt8)
  }

  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    service = MessageLogs(rules: Self.rules, at: now)
    clients = (1...5).map { SimulatedClient(person: Person(number: $0)) }
  }

  mutating func run(steps: Int) throws {
    for number in 0..<steps {
      step = number
      try operate()
    }
    try finish()
  }

  // MARK: Operations

  private mutating func operate() throws {
    let client = Int.random(in: clients.indices, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<24: try send(from: client)
    case 24..<27: for _ in 0..<30 { try send(from: client) }
    case 27..<33: try sendAgain(from: client)
    case 33..<43: beginCommit()
    case 43..<55: try finishCommit()
    case 55: failCommit()
    case 56..<58: crash()
    case 58..<62: restart()
    case 62..<72: try deliverEvent(isLost: chance(10))
    case 72..<75: try followUp()
    case 75..<80: try join(client)
    case 80..<82: lose(client)
    case 82..<86: try resume(client)
    case 86: try leave(client)
    case 87..<95: clients[client].receiveNext()
    default: pass(Bool.random(using: &random) ? 200 : 8_000)
    }
    for index in clients.indices { try checkHistory(of: index) }
  }

  private mutating func pass(_ longest: UInt64) {
    now += UInt64.random(in: 0...longest, using: &random)
    service?.prune(at: now)
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  // MARK: Sending

  private mutating func send(from client: Int) throws {
    guard clients[client].state == .online else { return }
    lastAttempt += 1
    let lifetimeMs = [0, 0, 1, 500, 5_000, 40_000].randomElement(using: &random) ?? 0
    let recipients = (1...5).map { Person(number: $0) }.filter { _ in chance(30) }
    let attempt = SimulatedClient.Attempt(
      number: lastAttempt, lifetimeMs: Int32(lifetimeMs), recipients: chance(70) ? [] : recipients,
      firstSentAt: now)
    clients[client].unanswered.append(attempt)
    try deliver(attempt, from: client)
  }

  private mutating func sendAgain(from client: Int) throws {
    guard clients[client].state == .online else { return }
    // The service may forget the outcome of a message after the resume window.
    clients[client].unanswered.removeAll {
      $0.firstSentAt + Self.rules.resumeWindowMs < now + 9_000
    }
    guard let attempt = clients[client].unanswered.randomElement(using: &random) else { return }
    try deliver(attempt, from: client)
  }

  private mutating func deliver(
    _ attempt: SimulatedClient.Attempt, from client: Int
  ) throws {
    let person = clients[client].person
    let draft = try MessageDraft(
      from: .client(clients[client].session, person.identity), topic: "chat",
      data: Array("\(attempt.number)".utf8), lifetimeMs: attempt.lifetimeMs,
      recipients: attempt.recipients.map(\.attendee.text), idempotencyKey: "k\(attempt.number)",
      rules: Self.rules)
    let outcome: AppendOutcome
    do {
      guard let answer = try service?.append(draft, to: .planning, at: now) else { return }
      outcome = answer
    } catch {
      try check(error == .flooding, "a client may not send: \(error)")
      return try leave(client)
    }
    switch outcome {
    case .accepted(let message):
      if message.lifetimeMs > 0 {
        keptCount += 1
        keptNumbers[attempt.number] = keptCount
      }
      newest[message.sequence] = attempt.number
      waiting.append(
        .accepted(client: client, attempt: attempt.number, sequence: message.sequence))
    case .repeated(let place):
      try check(
        newest[place.sequence] == attempt.number, "a repeat got the place of another message")
      waiting.append(.accepted(client: client, attempt: attempt.number, sequence: place.sequence))
    case .throttled(let wait):
      try check(wait > 0, "a throttled message may be sent again at once")
      throttled.insert(attempt.number)
      clients[client].unanswered.removeAll { $0.number == attempt.number }
    }
  }

  // MARK: The disk

  private mutating func beginCommit() {
    guard underWay == nil else { return }
    let answers = waiting
    if let batch = service?.takeBatch() {
      waiting = []
      underWay = (batch, answers)
    }
  }

  private mutating func finishCommit() throws {
    guard let (batch, answers) = underWay else {
      // The service needs to store nothing, because the store already contains the repeated
      // messages.
      guard service?.hasChange == false else { return }
      let ready = waiting
      waiting = []
      for answer in ready { try give(answer) }
      return
    }
    try check(disk.apply(batch), "the store has another log than the service")
    underWay = nil
    service?.confirm(at: now)
    let messages = batch.changes[.planning]?.appended ?? []
    try note(messages, epoch: batch.changes[.planning]?.state.epoch)
    events += messages
    for answer in answers { try give(answer) }
  }

  private mutating func failCommit() {
    guard underWay != nil else { return }
    underWay = nil
    service?.rollBack()
    for answer in waiting { refuse(answer) }
    waiting = []
  }

  /// Stops the service. A commit in progress may have reached the disk.
  private mutating func crash() {
    guard service != nil else { return }
    if let (batch, answers) = underWay {
      if Bool.random(using: &random), disk.apply(batch) {
        try? note(
          batch.changes[.planning]?.appended ?? [], epoch: batch.changes[.planning]?.state.epoch)
      }
      for answer in answers { refuse(answer) }
    }
    for answer in waiting { refuse(answer) }
    (service, underWay, waiting) = (nil, nil, [])
  }

  private mutating func restart() {
    if service == nil {
      service = MessageLogs(rules: Self.rules, restoring: disk.stored, at: now)
    }
  }

  private mutating func note(_ messages: [StoredMessage], epoch: UInt64?) throws {
    for message in messages {
      let last = durable.values.max { $0.sequence < $1.sequence }
      try check(message.sequence == (last?.sequence ?? 0) + 1, "the numbering has a gap")
      try check(message.acceptedAtMs >= last?.acceptedAtMs ?? 0, "a timestamp goes back")
      durable[message.sequence] = message
    }
    if let epoch {
      try check(self.epoch == nil || self.epoch == epoch, "the log has another epoch")
      self.epoch = epoch
    }
  }

  private mutating func give(_ answer: Answer) throws {
    switch answer {
    case .accepted(let client, let attempt, let sequence):
      // The simulation loses some answers in transit.
      guard !chance(20) else { return }
      let earlier = acknowledged.updateValue(sequence, forKey: attempt)
      try check(earlier == nil || earlier == sequence, "a message has two places")
      clients[client].unanswered.removeAll { $0.number == attempt }
    case .joined(let client, let device):
      guard clients[client].state == .joining, clients[client].device == device else { return }
      clients[client].state = .online
      if followed == nil, let service {
        let gateway = try service.replay(
          MessageReplayQuery(reader: .gateway), of: .planning, from: disk, at: now)
        followed = gateway.through
      }
      try serve(client, epoch: 0, after: 0)
    }
  }

  private mutating func refuse(_ answer: Answer) {
    if case .joined(let client, let device) = answer, clients[client].device == device,
      clients[client].state == .joining
    {
      clients[client].state = .away
    }
  }

  // MARK: The gateway

  private mutating func deliverEvent(isLost: Bool) throws {
    guard !events.isEmpty else { return }
    let event = events.removeFirst()
    guard !isLost, let followed else { return }
    if event.sequence == followed + 1 {
      hand(event)
    } else if event.sequence > followed {
      try followUp()
    }
  }

  /// Requests the events that the gateway missed. The gateway notices a gap at an event or a
  /// beacon.
  private mutating func followUp() throws {
    guard let service, let followed, let epoch, service.isStored(.planning) else { return }
    let query = MessageReplayQuery(reader: .gateway, epoch: epoch, after: followed, maxBytes: 2_000)
    let replay = try service.replay(query, of: .planning, from: disk, at: now)
    for message in replay.messages { hand(message) }
    for sequence in followed + 1..<max(followed, replay.through) + 1
    where !replay.messages.contains(where: { $0.sequence == sequence }) {
      let message = durable[sequence]
      try check(
        message?.hasExpired(at: now) == true || !replay.isComplete,
        "a gateway's replay lacks a message")
      for index in clients.indices { clients[index].excused.insert(sequence) }
    }
    self.followed = max(followed, replay.through)
    for index in clients.indices where clients[index].state == .online {
      clients[index].servedThrough = max(clients[index].servedThrough, replay.through)
    }
    if replay.hasMore { try followUp() }
  }

  private mutating func hand(_ event: StoredMessage) {
    followed = event.sequence
    for index in clients.indices
    where clients[index].state == .online && clients[index].servedThrough < event.sequence {
      clients[index].servedThrough = event.sequence
      if clients[index].mayRead(event) {
        clients[index].inbox.append(.message(event))
      }
    }
  }

  private mutating func join(_ client: Int) throws {
    guard clients[client].state == .away, service != nil else { return }
    clients[client].device &+= 1
    let last = service?.all[.planning]?.state.lastSequence ?? 0
    clients[client].beginSession(after: last)
    let (session, participant) = (clients[client].session, clients[client].person.participant)
    try service?.join(session, as: participant, in: .planning, at: now)
    waiting.append(.joined(client: client, device: clients[client].device))
  }

  private mutating func lose(_ client: Int) {
    guard clients[client].state == .online else { return }
    clients[client].state = .lost
    clients[client].inbox = []
    // In some cases, presence notices the loss of the client.
    if chance(50) { service?.lose(clients[client].session, in: .planning, at: now) }
  }

  private mutating func resume(_ client: Int) throws {
    guard clients[client].state == .lost, let log = service?.all[.planning], let epoch else {
      return
    }
    guard log.sessions[clients[client].session] != nil else { return give(up: client) }
    clients[client].state = .online
    let (session, participant) = (clients[client].session, clients[client].person.participant)
    try service?.join(session, as: participant, in: .planning, at: now)
    try serve(client, epoch: epoch, after: clients[client].position)
  }

  private mutating func leave(_ client: Int) throws {
    guard clients[client].state == .online, service != nil else { return }
    try checkHistory(of: client)
    service?.leave(clients[client].session, in: .planning)
    give(up: client)
  }

  private mutating func give(up client: Int) {
    clients[client].state = .away
    clients[client].beginSession(after: 0)
    clients[client].state = .away
  }

  /// Sends a session the messages that the session missed, page by page, up to the gateway's
  /// position.
  private mutating func serve(_ client: Int, epoch: UInt64, after: UInt64) throws {
    var (epoch, after, early) = (epoch, after, 0)
    repeat {
      let query = MessageReplayQuery(
        reader: clients[client].reader, epoch: epoch, after: after, maxBytes: 2_000)
      guard let replay = try service?.replay(query, of: .planning, from: disk, at: now) else {
        return
      }
      try checkReplay(replay, after: after, for: client)
      early += replay.messages.count { $0.sequence <= clients[client].presentAfter }
      try check(early <= Self.rules.maxKept, "a late joiner gets more than is kept")
      clients[client].inbox += replay.messages.map { .message($0) }
      clients[client].inbox.append(.position(replay.through))
      clients[client].servedThrough = replay.through
      (epoch, after) = (replay.epoch, replay.through)
      if !replay.hasMore && replay.through >= followed ?? 0 { return }
    } while true
  }

  // MARK: Promises

  /// Checks that a late joiner gets the kept messages, but no messages without a lifetime and no
  /// expired messages.
  private mutating func checkReplay(
    _ replay: MessageReplayAnswer, after: UInt64, for client: Int
  ) throws {
    let presentAfter = clients[client].presentAfter
    for message in replay.messages {
      try check(!message.hasExpired(at: now), "an expired message is replayed")
      try check(clients[client].mayRead(message), "a message is replayed to the wrong reader")
      guard message.sequence <= presentAfter else { continue }
      try check(message.lifetimeMs > 0, "a late joiner gets a live-only message")
    }
    for sequence in after + 1..<max(after, replay.through) + 1 {
      guard let message = durable[sequence], clients[client].mayRead(message),
        !replay.messages.contains(message)
      else { continue }
      if sequence > presentAfter {
        try check(
          message.hasExpired(at: now) || !replay.isComplete, "a replay lacks a message")
        clients[client].excused.insert(sequence)
      } else if message.lifetimeMs > 0, !message.hasExpired(at: now),
        let number = Int(message.text).flatMap({ keptNumbers[$0] })
      {
        let isCrowdedOut = keptCount - number >= Self.rules.maxKept
        try check(isCrowdedOut, "a late joiner lacks a kept message")
      }
    }
  }

  private func checkHistory(of client: Int) throws {
    let client = clients[client]
    var last: UInt64 = 0
    for message in client.history {
      try check(message.sequence > last, "messages come twice or out of order")
      last = message.sequence
      try check(durable[message.sequence] == message, "a message was received that is not stored")
      let number = Int(message.text) ?? 0
      try check(!throttled.contains(number), "a throttled message was delivered")
      try check(client.mayRead(message), "somebody received another's message")
    }
    let received = Set(client.history.map(\.sequence))
    for sequence in client.presentAfter + 1..<max(client.presentAfter, client.position) + 1
    where !received.contains(sequence) && !client.excused.contains(sequence) {
      let isTheirs = durable[sequence].map { client.mayRead($0) } ?? false
      try check(!isTheirs, "message \(sequence) is missing")
    }
  }

  /// Delivers everything in transit, and then checks that each acknowledged message is in the log,
  /// under the acknowledged sequence number.
  private mutating func finish() throws {
    restart()
    for _ in 0..<3 {
      try finishCommit()
      beginCommit()
    }
    try finishCommit()
    for index in clients.indices { try resume(index) }
    try followUp()
    for index in clients.indices {
      while !clients[index].inbox.isEmpty { clients[index].receiveNext() }
      try checkHistory(of: index)
      // Every message that the client may read must have arrived, except the messages in `excused`.
      let behind = durable.values.filter { message in
        clients[index].state == .online && message.sequence > clients[index].position
          && clients[index].mayRead(message)
          && !clients[index].excused.contains(message.sequence)
      }
      try check(behind.isEmpty, "a client is left behind")
    }
    for (attempt, sequence) in acknowledged {
      try check(
        durable[sequence]?.text == "\(attempt)", "an acknowledged message is not in its place")
    }
    try check(
      Set(durable.values.map(\.text)).count == durable.count, "a message was stored twice")
    try forgetEverything()
  }

  /// Checks that nothing remains in the end, neither in memory nor on the disk.
  private mutating func forgetEverything() throws {
    now += Self.rules.resumeWindowMs + UInt64(Self.rules.maxLifetimeMs)
    service?.prune(at: now)
    beginCommit()
    try finishCommit()
    let (log, stored) = (service?.all[.planning], disk.stored.logs[.planning])
    try check(log?.places.isEmpty ?? true, "a message is never forgotten")
    try check(log?.recent.bytes ?? 0 == 0, "a message stays in memory")
    try check(stored?.messages.isEmpty ?? true, "a message stays on the disk")
    try check(
      Set(stored?.sessions.map(\.id) ?? []) == Set(log?.sessions.keys.map(\.self) ?? []),
      "the disk has other sessions than the service")
  }

  private func check(_ holds: Bool, _ promise: String) throws {
    if !holds { throw Violation(description: "Seed \(seed), step \(step): \(promise).") }
  }
}
