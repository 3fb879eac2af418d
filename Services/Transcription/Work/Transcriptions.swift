import MeetingModel
import Ownership

/// The state of an instance's transcriptions and engines. The inputs of this value are events, and
/// its outputs are effects.
///
/// Each talker's speech waits, up to a limit, until an engine gets it. The service sends the oldest
/// speech first, as far as the engine's credit allows. After the loss of an engine, the service
/// sends the unfinished speech of this engine to another engine.
struct Transcriptions: DecisionCore {
  let rules: TranscriptionRules
  let instance: String

  /// A text that differs for each start of the service.
  let seed: String
  private let openedAt: ContinuousClock.Instant
  private var gateways: GatewayTable
  private var nextLook: ContinuousClock.Instant
  private var share: OwnedMeetings?

  /// The meetings that this instance already owned when it last took over other meetings. These
  /// meetings do not recover.
  private var settled: Set<MeetingID> = []
  var meetings: [MeetingID: MeetingTranscription] = [:]
  var engines: [EngineAttachmentID: AttachedEngine] = [:]
  var streams: [SpeechStreamID: EngineStreamAssignment] = [:]
  var lastNumber: UInt64 = 0
  private var ended: [MeetingID: ContinuousClock.Instant?] = [:]
  private var effects: [TranscriptionEffect] = []

  /// The numbers of dropped results that the metrics do not include yet. `droppedSamples` counts
  /// dropped samples of speech.
  var droppedResults: [ResultDropReason: Int] = [:]
  var droppedSamples: UInt64 = 0
  var rejections = RejectionLogThrottle()

  /// - Parameter seed: At most 20 characters, different at each start.
  init(_ rules: TranscriptionRules, instance: String, seed: String, at now: ClockReading) {
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

  /// Whether a gateway may still announce a running transcription.
  var isRecovering: Bool { gateways.isRecovering }

  /// Returns whether a gateway may still announce a running transcription of this meeting.
  func isRecovering(_ meeting: MeetingID) -> Bool { isRecovering && !settled.contains(meeting) }

  var meetingCount: Int { meetings.keys.count { ended[$0] == nil } }

  func serves(_ meeting: MeetingID) -> Bool { share?.contains(meeting) ?? true }

  /// Updates the set of meetings that this instance owns, and releases the meetings that other
  /// instances now own.
  ///
  /// Gateways announce the running transcriptions to the new owners.
  mutating func take(_ share: OwnedMeetings, at now: ClockReading) {
    guard share != self.share else { return }
    let mayGain = share.mayGain(since: self.share)
    if mayGain, self.share != nil { settled = Set(meetings.keys) }
    self.share = share
    gateways.see(share.membership.fingerprint, mayGain: mayGain, at: now.instant)
    for meeting in meetings.keys.sorted() where !share.contains(meeting) {
      release(meeting, at: now)
    }
  }

  private mutating func release(_ meeting: MeetingID, at now: ClockReading) {
    endStreams(of: meeting, areDiscarded: true, at: now)
    setFollowing(false, meeting)
    meetings[meeting] = nil
    settled.remove(meeting)
    act(.forget(meeting))
  }

  /// Returns `false`, because gateways send no heartbeats to this service.
  func isVouchedFor(by gateways: Set<GatewayName>) -> Bool { false }

  /// Sets the gateways that are live according to the registry. Recovery waits for these gateways.
  mutating func expect(_ names: Set<GatewayName>, at now: ClockReading) {
    gateways.keep(only: names)
    gateways.expect(names)
    _ = gateways.endRecovery(at: now.instant)
  }

  /// Records that a gateway has announced all transcriptions and choices that it has.
  ///
  /// The service waits for gateways only during recovery, because gateways send no heartbeats to
  /// this service.
  ///
  /// - Parameter membership: The fingerprint of the instances that the gateway used; 0 if the
  ///   gateway sent no fingerprint.
  mutating func didAnnounce(
    _ gateway: GatewayName, seeing membership: UInt64 = 0, at now: ClockReading
  ) {
    _ = gateways.hear(gateway, run: nil, at: now.instant)
    gateways.didAnnounce(gateway, seeing: membership)
    _ = gateways.endRecovery(at: now.instant)
  }

  // MARK: Starting and stopping

  /// Returns the meeting's transcription. Creates an empty transcription if the meeting has none.
  ///
  /// - Throws: ``TranscriptionError/meetingEnded``.
  mutating func open(_ meeting: MeetingID) throws(TranscriptionError) -> MeetingTranscription {
    guard ended[meeting] == nil else { throw .meetingEnded }
    if let known = meetings[meeting] { return known }
    let opened = MeetingTranscription(prefix: "\(seed)-\(nextNumber())", rules: rules)
    meetings[meeting] = opened
    return opened
  }

  /// Starts a transcription, or replaces its settings.
  ///
  /// - Parameters:
  ///   - revision: The revision of the settings. The method ignores a revision that is older than
  ///     the last revision. Revision 0 always applies.
  ///   - startedAtMs: When the transcription started, in milliseconds since 1970. Clients that
  ///     received a notification before a restart recognize the transcription by this value.
  /// - Returns: Whether the transcription was already running.
  mutating func start(
    _ meeting: MeetingID, _ settings: TranscriptionSettings, revision: UInt64, startedAtMs: UInt64,
    at now: ClockReading
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
    // Clients that know about the failure must be informed that transcription starts again.
    transcription.startedAtMs = transcription.phase == .failed ? now.milliseconds : startedAtMs
    transcription.phase = .waiting(until: now.instant + rules.engineWait)
    meetings[meeting] = transcription
    endStreams(of: meeting, areDiscarded: false, at: now)
    reconsider(meeting, at: now)
    return wasRunning
  }

  /// Stops a transcription.
  ///
  /// - Returns: Whether the transcription was running.
  mutating func stop(_ meeting: MeetingID, revision: UInt64, at now: ClockReading) -> Bool {
    guard var transcription = meetings[meeting] else { return false }
    let wasRunning = transcription.settings != nil
    guard revision == 0 || revision >= transcription.revision else { return wasRunning }
    transcription.revision = max(transcription.revision, revision)
    meetings[meeting] = transcription
    guard wasRunning else { return false }
    endStreams(of: meeting, areDiscarded: true, at: now)
    closeResults(of: meeting)
    // The service has not published a start that still waits for an engine, so such a start needs
    // no stop.
    if let last = transcription.status?.type, last != .stopped {
      tell(.stopped, in: meeting, at: now)
    }
    setFollowing(false, meeting)
    meetings[meeting]?.talkers = [:]
    meetings[meeting]?.settings = nil
    meetings[meeting]?.phase = .idle
    return true
  }

  /// Stops the transcription of an ended meeting. Removes the transcription after
  /// ``TranscriptionRules/endedMeeting``.
  mutating func end(_ meeting: MeetingID, at now: ClockReading) {
    _ = stop(meeting, revision: 0, at: now)
    guard ended[meeting] == nil else { return }
    ended[meeting] = .some(now.instant + rules.endedMeeting)
  }

  private mutating func forgetEnded(at now: ClockReading) {
    for (meeting, until) in ended {
      guard let until, until <= now.instant else { continue }
      meetings[meeting] = nil
      act(.forget(meeting))
      // The meeting's id remains in `ended`, so that a delayed start does not restore the meeting.
      ended[meeting] = .some(nil)
    }
    if ended.count > Self.mostEnded {
      for meeting in ended.filter({ $0.value == nil }).keys.prefix(Self.mostEnded / 2) {
        ended[meeting] = nil
      }
    }
  }

  private static let mostEnded = 10_000

  // MARK: Phase

  /// Returns whether an attached engine can serve these settings.
  private func isServed(_ settings: TranscriptionSettings) -> Bool {
    engines.values.contains { settings.suits($0.description) }
  }

  /// Updates the phase after a change of engines, settings or time.
  mutating func reconsider(_ meeting: MeetingID, at now: ClockReading) {
    guard let transcription = meetings[meeting], let settings = transcription.settings else {
      return
    }
    let isServed = isServed(settings)
    switch transcription.phase {
    case .idle:
      break
    case .waiting where isServed:
      // All participants get this event, even after a restart, because a client may have joined
      // before the service knew the state.
      let start = ClockReading(instant: now.instant, milliseconds: transcription.startedAtMs)
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

  private mutating func run(_ meeting: MeetingID, at now: ClockReading) {
    meetings[meeting]?.phase = .running
    setFollowing(true, meeting)
    assign(meeting, at: now)
  }

  private mutating func fail(_ meeting: MeetingID, _ why: String, at now: ClockReading) {
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

  // MARK: Publishing

  mutating func tell(
    _ type: TranscriptionStatusType, _ message: String = "", in meeting: MeetingID,
    at now: ClockReading
  ) {
    guard let status = meetings[meeting]?.status(type, message, at: now) else { return }
    meetings[meeting]?.status = status
    act(.publish(meeting, .status(status), .everybody))
  }

  /// Publishes results in order. Consecutive results with the same readers form one event.
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

  /// Makes all open results of a meeting final. Their text does not change.
  private mutating func closeResults(of meeting: MeetingID) {
    let closed = meetings[meeting]?.assembler.closeAll()
    publish(closed ?? [], in: meeting)
  }

  // MARK: Time

  /// The interval between two periodic checks. This interval limits the precision of deadlines.
  private static let precision = Duration.milliseconds(100)

  /// The time at which the next periodic check is due. A check runs every 100 ms, and not at each
  /// deadline separately.
  var nextDeadline: ContinuousClock.Instant? { nextLook }

  /// Extends deadlines by the duration of a stall of the process.
  mutating func excuseSilence(of stall: Duration) {
    gateways.excuseSilence(of: stall)
    for token in engines.keys { engines[token]?.lastReport += stall }
    for stream in streams.keys {
      if let closing = streams[stream]?.closing { streams[stream]?.closing = closing + stall }
    }
    for meeting in meetings.keys { meetings[meeting]?.resume(after: stall) }
  }

  /// Carries out everything that is due.
  mutating func advance(to now: ClockReading) {
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
