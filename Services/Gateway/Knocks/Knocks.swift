import MeetingModel

/// The knocks at locked meetings. A knock is a waiting person's request that a host admit this
/// person. The knock also contains the host's answer.
///
/// A knock exists only as long as the page of the waiting person polls for the answer. A host is
/// present while the host's page polls for knocks. The caller passes all times, in milliseconds
/// since 1970-01-01T00:00:00Z.
struct Knocks: Sendable {
  /// The limits of knocks.
  struct Rules: Sendable {
    /// The maximum number of knocks of one meeting, including answered knocks.
    var mostOfMeeting = 32

    /// The maximum number of knocks from one address at one meeting, including answered knocks.
    var mostOfAddress = 8

    /// The maximum number of knocks of all meetings together.
    var most = 4_096

    /// A knock expires when the page of the waiting person has not polled for this time, in
    /// milliseconds.
    var silenceMs: Int64 = 15_000

    /// An unanswered knock expires after this time, in milliseconds.
    var lifetimeMs: Int64 = 600_000

    /// An answer is valid for this time, in milliseconds. During this time, a denied knock counts
    /// against the limit of the visitor's address.
    var answerMs: Int64 = 60_000

    /// A host is absent when the host's page has not polled for knocks for this time, in
    /// milliseconds.
    var hostSilenceMs: Int64 = 15_000
  }

  /// The state of a knock, for the page of the waiting person.
  enum State: String, Hashable, Sendable {
    case waiting, admitted, denied
  }

  /// One knock.
  struct Knock: Hashable, Sendable {
    /// The id by which hosts identify the knock. This id grants no right to enter.
    let id: String
    let meeting: MeetingID
    let name: DisplayName
    let address: String
    let openedAt: Int64
    var askedAt: Int64
    var answeredAt: Int64?
    var state = State.waiting
  }

  private let rules: Rules

  /// The knocks by their secrets. Only the page of the waiting person knows the secret.
  private var knocks: [String: Knock] = [:]

  /// For each meeting, the time when the page of a host last polled for knocks.
  private var hosts: [MeetingID: Int64] = [:]

  init(rules: Rules = Rules()) { self.rules = rules }

  /// The number of stored knocks.
  var count: Int { knocks.count }

  // MARK: The page that knocks

  /// Adds a knock.
  ///
  /// - Returns: The secret with which the page polls for the answer.
  /// - Throws: ``KnockRefusal/noHost`` or ``KnockRefusal/crowded``.
  mutating func knock(
    at meeting: MeetingID, as name: DisplayName, from address: String, now: Int64
  ) throws(KnockRefusal) -> String {
    prune(now)
    guard hosts[meeting] != nil else { throw .noHost }
    let others = knocks.values.filter { $0.meeting == meeting }
    guard knocks.count < rules.most, others.count < rules.mostOfMeeting,
      others.count(where: { $0.address == address }) < rules.mostOfAddress
    else { throw .crowded }
    let secret = GUID.random().text
    knocks[secret] = Knock(
      id: GUID.random().text, meeting: meeting, name: name, address: address, openedAt: now,
      askedAt: now)
    return secret
  }

  /// Returns the knock with this secret. Each poll by the page of the waiting person calls this
  /// method.
  ///
  /// - Throws: ``KnockRefusal/unknown``; ``KnockRefusal/noHost`` if no host is left to answer. This
  ///   error ends the knock.
  mutating func ask(_ secret: String, now: Int64) throws(KnockRefusal) -> Knock {
    prune(now)
    guard var knock = knocks[secret] else { throw .unknown }
    guard knock.state != .waiting || hosts[knock.meeting] != nil else {
      knocks[secret] = nil
      throw .noHost
    }
    knock.askedAt = now
    knocks[secret] = knock
    return knock
  }

  /// Removes a knock when the page of the waiting person enters the meeting.
  ///
  /// - Returns: Whether the knock existed. Of several concurrent requests, only one gets `true`,
  ///   and only this request may enter.
  mutating func take(_ secret: String) -> Bool { knocks.removeValue(forKey: secret) != nil }

  // MARK: Hosts

  /// Returns whether a host of a meeting is present.
  mutating func hasHost(in meeting: MeetingID, now: Int64) -> Bool {
    prune(now)
    return hosts[meeting] != nil
  }

  /// Returns the waiting knocks of a meeting, oldest first. Records that a host is present.
  mutating func list(for meeting: MeetingID, now: Int64) -> [Knock] {
    hosts[meeting] = now
    prune(now)
    return knocks.values.filter { $0.meeting == meeting && $0.state == .waiting }
      .sorted { ($0.openedAt, $0.id) < ($1.openedAt, $1.id) }
  }

  /// Admits or denies a knock of the host's meeting.
  ///
  /// - Throws: ``KnockRefusal/unknown`` if no knock with this id waits at this meeting.
  mutating func answer(
    _ id: String, at meeting: MeetingID, admits: Bool, now: Int64
  ) throws(KnockRefusal) {
    prune(now)
    let found = knocks.first { $0.value.id == id && $0.value.meeting == meeting }
    guard let found, found.value.state == .waiting else { throw .unknown }
    knocks[found.key]?.state = admits ? .admitted : .denied
    knocks[found.key]?.answeredAt = now
  }

  // MARK: Expiry

  private mutating func prune(_ now: Int64) {
    hosts = hosts.filter { now - $0.value < rules.hostSilenceMs }
    knocks = knocks.filter { isAlive($0.value, now) }
  }

  private func isAlive(_ knock: Knock, _ now: Int64) -> Bool {
    if let answered = knock.answeredAt { return now - answered < rules.answerMs }
    return now - knock.askedAt < rules.silenceMs && now - knock.openedAt < rules.lifetimeMs
  }
}

/// The reason why the gateway refuses a knock.
enum KnockRefusal: Error, Hashable, Sendable, CaseIterable {
  /// The meeting has a lock, and no host is present.
  case noHost

  /// Too many people knock.
  case crowded

  /// The knock does not exist or has expired.
  case unknown
}
