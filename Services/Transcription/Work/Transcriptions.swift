import MeetingModel
import Ownership

/// All of an instance's transcriptions and engines: what happens goes in, what is to be done comes
/// out.
///
/// Speech waits for each talker until an engine takes it, within a bound; it goes out by the
/// engine's credit, oldest first. What an engine has and did not make final goes to another one
/// when it is lost.
struct Transcriptions: OwnedCore {
  let rules: TranscriptionRules
  let instance: String

  /// Differs after each start.
  let seed: String
  private let openedAt: ContinuousClock.Instant
  private var gateways: GatewayTable
  private var nextLook: ContinuousClock.Instant
  private var share: MeetingShare?

  /// Meetings that were here all the time, while others are taken over.
  private var settled: Set<MeetingID> = []
  var meetings: [MeetingID: MeetingTranscription] = [:]
  var engines: [EngineToken: AttachedEngine] = [:]
  var streams: [StreamID: StreamRecord] = [:]
  var lastNumber: UInt64 = 0
  private var ended: [MeetingID: ContinuousClock.Instant?] = [:]
  private var effects: [TranscriptionEffect] = []

  /// Engine results that were dropped, and milliseconds of speech, since they were taken last.
  var droppedResults: [DroppedResult: Int] = [:]
  var droppedSamples: UInt64 = 0
  var rejections = RejectionLog()

  /// - Parameter seed: At most 20 characters, not used before.
  init(_ rules: TranscriptionRules, instance: String, seed: String, at now: Moment) {
    self.rules = rules
    self.instance = instance
    self.seed = seed
    openedAt = now.instant
    gateways = GatewayTable(silence: .zero, recovery: rules.recovery, at: now.instant)
    nextLook = now.instant
  }

  mutating func takeEffects() -> [TranscriptionEffect] {
    defer { effects = [] }
    return effects
  }

  mutating func act(_ effect: TranscriptionEffect) { effects.append(effect) }

  mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  // MARK: Recovery

  /// Whether something that runs may not have been announced.
  var isRecovering: Bool { gateways.isRecovering }

  /// Whether it may be that something of a meeting runs and has not been announced.
  func isRecovering(_ meeting: MeetingID) -> Bool { isRecovering && !settled.contains(meeting) }

  var meetingCount: Int { meetings.keys.count { ended[$0] == nil } }

  func serves(_ meeting: MeetingID) -> Bool { share?.contains(meeting) ?? true }

  /// Takes in which meetings belong here. What came to another instance is heard there from now on:
  /// gateways tell it what runs.
  mutating func take(_ share: MeetingShare, at now: Moment) {
    guard share != self.share else { return }
    let mayGain = share.mayGain(since: self.share)
    if mayGain, self.share != nil { settled = Set(meetings.keys) }
    self.share = share
    gateways.see(share.membership.fingerprint, mayGain: mayGain, at: now.instant)
    for meeting in meetings.keys.sorted() where !share.contains(meeting) {
      release(meeting, at: now)
    }
  }

  private mutating func release(_ meeting: MeetingID, at now: Moment) {
    endStreams(of: meeting, areDiscarded: true, at: now)
    setFollowing(false, meeting)
    meetings[meeting] = nil
    settled.remove(meeting)
    act(.forget(meeting))
  }

  /// Which gateways live as the registry has it.
  /// Gateways do not say here that they live.
  func isVouchedFor(by gateways: Set<GatewayName>) -> Bool { false }

  mutating func expect(_ names: Set<GatewayName>, at now: Moment) {
    gateways.keep(only: names)
    gateways.expect(names)
    _ = gateways.endRecovery(at: now.instant)
  }

  /// A gateway has said everything. Only recovery waits for gateways: that one lives, nobody says.
  ///
  /// - Parameter membership: Among which instances it then shared meetings out; 0: it does not say.
  mutating func didAnnounce(
    _ gateway: GatewayName, seeing membership: UInt64 = 0, at now: Moment
  ) {
    _ = gateways.hear(gateway, run: nil, at: now.instant)
    gateways.didAnnounce(gateway, seeing: membership)
    _ = gateways.endRecovery(at: now.instant)
  }

  // MARK: Starting and stopping

  /// The meeting's transcription, which begins empty.
  ///
  /// - Throws: ``TranscriptionError/meetingEnded``.
  mutating func open(_ meeting: MeetingID) throws(TranscriptionError) -> MeetingTranscription {
    guard ended[meeting] == nil else { throw .meetingEnded }
    if let known = meetings[meeting] { return known }
    let opened = MeetingTranscription(prefix: "\(seed)-\(nextNumber())", rules: rules)
    meetings[meeting] = opened
    return opened
  }

  /// Starts a transcription, or replaces what is wanted of it.
  ///
  /// - Parameters:
  ///   - revision: Older ones than the last change nothing; 0 comes always.
  ///   - startedAtMs: In milliseconds since 1970; who has heard of it before a restart knows it by
  ///     that.
  /// - Returns: Whether it ran.
  mutating func start(
    _ meeting: MeetingID, _ settings: TranscriptionSettings, revision: UInt64, startedAtMs: UInt64,
    at now: Moment
  ) throws(TranscriptionError) -> Bool {
    var transcription = try open(meeting)
    let wasRunning = transcription.settings != nil
    guard revision == 0 || revision >= transcription.revision else { return wasRunning }
    transcription.revision = max(transcription.revision, revision)
    guard transcription.settings != settings || transcription.phase == .failed else {
      meetings[meeting] = transcription
      return wasRunning
    }
    transcription.settings = settings
    transcription.assembler.rules = settings.text
    // Who has heard it fail hears of another start.
    transcription.startedAtMs = transcription.phase == .failed ? now.milliseconds : startedAtMs
    transcription.phase = .waiting(until: now.instant + rules.engineWait)
    meetings[meeting] = transcription
    endStreams(of: meeting, areDiscarded: false, at: now)
    reconsider(meeting, at: now)
    return wasRunning
  }

  /// Stops a transcription.
  ///
  /// - Returns: Whether it ran.
  mutating func stop(_ meeting: MeetingID, revision: UInt64, at now: Moment) -> Bool {
    guard var transcription = meetings[meeting] else { return false }
    let wasRunning = transcription.settings != nil
    guard revision == 0 || revision >= transcription.revision else { return wasRunning }
    transcription.revision = max(transcription.revision, revision)
    meetings[meeting] = transcription
    guard wasRunning else { return false }
    endStreams(of: meeting, areDiscarded: true, at: now)
    closeResults(of: meeting)
    // A start that still waited for an engine was never told.
    if let last = transcription.status?.type, last != .stopped {
      tell(.stopped, in: meeting, at: now)
    }
    setFollowing(false, meeting)
    meetings[meeting]?.talkers = [:]
    meetings[meeting]?.settings = nil
    meetings[meeting]?.phase = .idle
    return true
  }

  /// The meeting has ended: its transcription stops, and is forgotten after a while.
  mutating func end(_ meeting: MeetingID, at now: Moment) {
    _ = stop(meeting, revision: 0, at: now)
    guard ended[meeting] == nil else { return }
    ended[meeting] = .some(now.instant + rules.endedMeeting)
  }

  private mutating func forgetEnded(at now: Moment) {
    for (meeting, until) in ended {
      guard let until, until <= now.instant else { continue }
      meetings[meeting] = nil
      act(.forget(meeting))
      // The name stays, so that a start that was on its way does not bring it back.
      ended[meeting] = .some(nil)
    }
    if ended.count > Self.mostEnded {
      for meeting in ended.filter({ $0.value == nil }).keys.prefix(Self.mostEnded / 2) {
        ended[meeting] = nil
      }
    }
  }

  private static let mostEnded = 10_000

  // MARK: Which phase it is in

  /// Whether an attached engine can do what a meeting wants.
  private func isServed(_ settings: TranscriptionSettings) -> Bool {
    engines.values.contains { settings.suits($0.description) }
  }

  /// Engines came or went, time passed, or something else is wanted.
  mutating func reconsider(_ meeting: MeetingID, at now: Moment) {
    guard let transcription = meetings[meeting], let settings = transcription.settings else {
      return
    }
    let isServed = isServed(settings)
    switch transcription.phase {
    case .idle:
      break
    case .waiting where isServed:
      // To all, also after a restart: some may have come when it was not known whether it runs.
      let start = Moment(instant: now.instant, milliseconds: transcription.startedAtMs)
      tell(.started, in: meeting, at: start)
      run(meeting, at: now)
    case .failed where isServed:
      tell(.started, in: meeting, at: now)
      run(meeting, at: now)
    case .waiting(let until):
      let isCertain = !engines.isEmpty && now.instant >= openedAt + rules.engineWait
      if isCertain || now.instant >= until { fail(meeting, settings.whyNone, at: now) }
    case .running where !isServed:
      tell(.interrupted, settings.whyNone, in: meeting, at: now)
      let until = now.instant + rules.interruptionLimit
      meetings[meeting]?.phase = .interrupted(until: until)
    case .running:
      assign(meeting, at: now)
    case .interrupted where isServed:
      tell(.resumed, in: meeting, at: now)
      run(meeting, at: now)
    case .interrupted(let until):
      if now.instant >= until { fail(meeting, settings.whyNone, at: now) }
    case .failed:
      break
    }
  }

  private mutating func run(_ meeting: MeetingID, at now: Moment) {
    meetings[meeting]?.phase = .running
    setFollowing(true, meeting)
    assign(meeting, at: now)
  }

  private mutating func fail(_ meeting: MeetingID, _ why: String, at now: Moment) {
    endStreams(of: meeting, areDiscarded: true, at: now)
    closeResults(of: meeting)
    tell(.failed, why, in: meeting, at: now)
    setFollowing(false, meeting)
    meetings[meeting]?.talkers = [:]
    meetings[meeting]?.phase = .failed
  }

  private mutating func setFollowing(_ isWanted: Bool, _ meeting: MeetingID) {
    guard let transcription = meetings[meeting], transcription.isFollowing != isWanted else {
      return
    }
    meetings[meeting]?.isFollowing = isWanted
    meetings[meeting]?.credit.reset()
    act(isWanted ? .follow(meeting) : .unfollow(meeting))
  }

  // MARK: Telling

  mutating func tell(
    _ type: TranscriptionStatusType, _ message: String = "", in meeting: MeetingID,
    at now: Moment
  ) {
    guard let status = meetings[meeting]?.status(type, message, at: now) else { return }
    meetings[meeting]?.status = status
    act(.publish(meeting, .status(status), .everybody))
  }

  /// Publishes results in their order; those in a row that the same people read go out together.
  mutating func publish(_ results: [AssembledResult], in meeting: MeetingID) {
    guard let choices = meetings[meeting]?.choices, !results.isEmpty else { return }
    var batch: [TranscriptResult] = []
    var audience = TranscriptAudience.everybody
    func flush(_ effects: inout [TranscriptionEffect]) {
      guard !batch.isEmpty, audience != .only([]) else { return }
      effects.append(.publish(meeting, .results(batch), audience))
    }
    for result in results {
      let readers = choices.audience(of: result)
      if readers != audience {
        flush(&effects)
        (batch, audience) = ([], readers)
      }
      batch.append(result.result)
    }
    flush(&effects)
  }

  /// What is open becomes final as it is.
  private mutating func closeResults(of meeting: MeetingID) {
    let closed = meetings[meeting]?.assembler.closeAll()
    publish(closed ?? [], in: meeting)
  }

  // MARK: Time

  /// How exactly deadlines are kept.
  private static let precision = Duration.milliseconds(100)

  /// Several times a second: nobody says what is due next.
  var nextDeadline: ContinuousClock.Instant? { nextLook }

  /// The process stood still for so long: that time is held against nobody.
  mutating func excuseSilence(of stall: Duration) {
    gateways.excuseSilence(of: stall)
    for token in engines.keys { engines[token]?.lastReport += stall }
    for stream in streams.keys {
      if let closing = streams[stream]?.closing { streams[stream]?.closing = closing + stall }
    }
    for meeting in meetings.keys { meetings[meeting]?.resume(after: stall) }
  }

  /// Looks what time has brought.
  mutating func advance(to now: Moment) {
    nextLook = now.instant + Self.precision
    _ = gateways.endRecovery(at: now.instant)
    detachSilent(at: now)
    closeStreams(at: now)
    for meeting in meetings.keys.sorted() {
      releaseIdle(meeting, at: now)
      reconsider(meeting, at: now)
    }
    forgetEnded(at: now)
  }
}
