import Bus
import MeetingModel
import NIOCore
import Wire

/// The state of one browser's connection on the gateway's socket thread.
///
/// The connection links a session to its client, and tracks what the client has received.
final class BrowserConnection: ClientLink {
  let number: BrowserConnectionID
  let handshake: WebSocketUpgradeRequest
  let rim: NIOLoopBound<WebSocketHandler>
  let openedAt: ContinuousClock.Instant
  var talk = BrowserSignaling()

  /// The client's session; `nil` before the client has joined, and after the session has ended.
  weak var session: GatewayClientSession?

  /// The meeting's frames for browsers; `nil` before the client has joined.
  var meeting: MeetingSignalFrames?
  var wish: BrowserJoin? {
    didSet {
      gate = RosterDeliveryRule(wantsMedia: wish?.wantsMedia ?? true)
      pictures.isNative = wish?.isNative ?? false
    }
  }

  /// The pictures that the client receives and sends.
  private(set) lazy var pictures = BrowserVideoState { [unowned self] in stream($0) }

  /// The rate limit for requests of a client without a session.
  var requests: TokenBucket
  var lastHeard: ContinuousClock.Instant

  /// The time at which the session ended. If the client does not close the connection, the gateway
  /// closes the connection 5 s after this time.
  var endedAt: ContinuousClock.Instant?

  /// Whether the WebSocket has closed or is about to close.
  var isGone = false

  /// Called when the connection has new output for the event loop.
  let onOutput: (BrowserConnection) -> Void

  private let budget: Int
  private var waiting: [PackedSessionEvents] = []
  private(set) var output: [ByteBuffer] = []
  private(set) var closing: CloseCode?
  private(set) var taken = 0
  private var sentBytes = 0
  private var acknowledged = 0
  private var hasIndex = false
  private var gate = RosterDeliveryRule(wantsMedia: true)

  /// The roster that the gateway sends as soon as ``RosterDeliveryRule`` permits it.
  private var held: PendingRoster?
  private var owesRoster = false
  private var hasRoster = false
  private var mayPublish = false
  private var lastBitrates: ContinuousClock.Instant?
  private var pings: [Ping] = []
  private(set) var lastPing: ContinuousClock.Instant

  /// The positions that the client has acknowledged, in each stream whose events must arrive
  /// exactly once.
  private(set) var reached: [MeetingStream: StreamCursor] = [:]

  private struct Ping {
    let bytes: Int
    let cursors: [MeetingStream: StreamCursor]
  }

  /// The maximum time between two messages or pongs of a client. After a longer silence, the
  /// gateway treats the client as lost.
  static let silence = Duration.seconds(12)

  /// The maximum number of unanswered pings that this object stores. A new ping replaces the oldest
  /// ping.
  private static let mostPings = 32

  init(
    _ number: BrowserConnectionID, _ handshake: WebSocketUpgradeRequest,
    _ rim: NIOLoopBound<WebSocketHandler>,
    budget: Int, now: ContinuousClock.Instant, onOutput: @escaping (BrowserConnection) -> Void
  ) {
    (self.number, self.handshake, self.rim) = (number, handshake, rim)
    (self.budget, self.onOutput) = (budget, onOutput)
    (openedAt, lastHeard, lastPing) = (now, now, now)
    requests = TokenBucket(RateLimit(perSecond: 10, burst: 100), now: now)
  }

  /// Whether the client has sent JOIN and waits for its session.
  var isJoining: Bool { !isGone && talk.phase == .joining }

  // MARK: Output

  /// Sends complete WebSocket frames.
  func send(_ frames: some Sequence<ByteBuffer>) {
    guard !isGone else { return }
    let isFirst = output.isEmpty && closing == nil && taken == 0
    for frame in frames {
      sentBytes += frame.readableBytes
      output.append(frame)
    }
    if isFirst { onOutput(self) }
  }

  /// Sends all pending output, and then closes the connection.
  func close(_ code: CloseCode) {
    guard !isGone, closing == nil else { return }
    let isFirst = output.isEmpty && taken == 0
    closing = code
    if isFirst { onOutput(self) }
  }

  /// Counts messages and pongs that the socket thread has processed. The event loop may then read
  /// the same number of further messages.
  func took(_ messages: Int) {
    guard !isGone else { return }
    let isFirst = output.isEmpty && closing == nil && taken == 0
    taken += messages
    if isFirst { onOutput(self) }
  }

  /// Removes and returns the output for the event loop.
  func takeOutput() -> QueuedBrowserOutput {
    defer {
      (output, taken) = ([], 0)
      if closing != nil { isGone = true }
    }
    return QueuedBrowserOutput(rim: rim, frames: output, close: closing, taken: taken)
  }

  // MARK: The session's link

  var isEmpty: Bool { waiting.isEmpty }
  var unacknowledged: Int { sentBytes - acknowledged }
  var isCongested: Bool { unacknowledged > budget / 4 }
  var longestSilence: Duration? { Self.silence }

  func queue(_ item: PackedSessionEvents) { waiting.append(item) }

  func acknowledge(_ bytes: UInt64) {
    guard let bytes = Int(exactly: bytes), bytes <= sentBytes else { return }
    acknowledged = max(acknowledged, bytes)
  }

  func flush() -> FlushOutcome {
    guard !isGone, closing == nil else { return .unreachable }
    guard !waiting.isEmpty, let meeting else { return .sent }
    let presence = wish?.wantsPresence ?? false
    let isAlike = !presence || gate.isOpen && !owesRoster
    if isAlike, let bundle = meeting.bundle(of: waiting, presence: presence) {
      waiting = []
      return deliver(CollectionOfOne(bundle), of: bundle.readableBytes)
    }
    var told = Batch()
    for item in waiting { tell(item, meeting, &told) }
    waiting = []
    if gate.isOpen, let held {
      told.roster = meeting.roster(
        held.snapshot, of: held.last, with: ownEntry, and: held.changes, isFirst: !hasRoster)
      told.owesLevels = true
      (self.held, owesRoster, hasRoster) = (nil, false, true)
    }
    let frames = told.inOrder(
      index: told.owesIndex ? index(meeting) : nil,
      levels: told.owesLevels ? meeting.board().flatMap(meeting.levels) : nil,
      presence: presence && gate.isOpen)
    return deliver(frames, of: frames.reduce(0) { $0 + $1.readableBytes })
  }

  // MARK: The roster

  /// Whether the client receives speech levels.
  var hearsLevels: Bool { hasRoster && wish?.wantsPresence == true && !isGone && closing == nil }

  /// Sends the roster after the answer to a SUBSCRIBE, because the client expects the roster after
  /// this answer.
  func followTalk() {
    if talk.hasSubscribed { gate.subscribed() }
    if talk.hasAnswered, gate.acknowledged() { showRoster() }
  }

  /// Sends the roster to a client that has not sent SUBSCRIBE in time.
  func look(at now: ContinuousClock.Instant) {
    if gate.look(at: now) { showRoster() }
  }

  /// Queues the roster. The session's next flush sends the roster.
  ///
  /// The roster counts against the session's output budget: the gateway disconnects a client that
  /// reads the roster too slowly.
  private func showRoster() {
    guard held != nil, let session else { return }
    owesRoster = true
    session.queue(PackedSessionEvents(V1.SessionEvents()))
  }

  private func deliver(_ frames: some Sequence<ByteBuffer>, of bytes: Int) -> FlushOutcome {
    guard unacknowledged + bytes <= budget else { return .overBudget }
    if bytes > 0 { send(frames) }
    return .sent
  }

  /// The frames of one flush, before the connection has sorted these frames.
  private struct Batch {
    var beginning: ByteBuffer?
    var roster: [ByteBuffer] = []
    var later: [ByteBuffer] = []
    var owesIndex = false
    var owesLevels = false

    func inOrder(index: ByteBuffer?, levels: ByteBuffer?, presence: Bool) -> [ByteBuffer] {
      let first = [beginning, index].compactMap { $0 }
      let present = presence ? roster + [levels].compactMap { $0 } : []
      return first + present + later
    }
  }

  private func tell(_ item: PackedSessionEvents, _ frames: MeetingSignalFrames, _ told: inout Batch)
  {
    let translation = frames.translation(of: item)
    if translation.isBeginning {
      told.beginning = beginning(frames)
      told.owesIndex = true
      talk.hasJoined()
    }
    if let mayPublish = translation.mayPublish { self.mayPublish = mayPublish }
    if translation.changesIndex { told.owesIndex = true }
    if let snapshot = translation.snapshot { held = PendingRoster(snapshot, of: item) }
    held?.take(translation.changes, of: item)
    told.roster += translation.roster
    if translation.changesLevels { told.owesLevels = true }
    told.later += translation.messages
    for ended in translation.ended { told.later.append(end(ended, frames)) }
    if wish?.isNative != true { told.later += pictureFrames(translation, frames) }
    if translation.isDemoted {
      told.later.append(frames.frame(.primaryMeetingLeave) { $0.primaryMeetingLeave = .init() })
    }
  }

  /// Returns a frame that reports the end of the client's own video.
  ///
  /// The client reads the error in this frame, and removes its own tile. The client's next
  /// SUBSCRIBE may publish video again.
  private func end(_ ended: V1.PublishedVideoEnded, _ frames: MeetingSignalFrames) -> ByteBuffer {
    session?.choices.published.removeAll { $0.kind == ended.kind }
    let text = ended.status?.message ?? ""
    return frames.frame(.notification) { frame in
      frame.notification = .init(level: .warning, message: text)
      frame.error = .init(status: 206, description: text)
    }
  }

  /// Returns the frames about the pictures that the client receives.
  ///
  /// These frames list the pictures that pause or resume. Every few seconds, another frame lists
  /// the bitrates of all streams and the capacity of the client's downlink.
  private func pictureFrames(
    _ translation: MeetingSignalFrames.Translation, _ frames: MeetingSignalFrames
  ) -> [ByteBuffer] {
    var told: [ByteBuffer] = []
    let (paused, resumed) = pictures.take(translation.tiles)
    if !paused.isEmpty { told.append(frames.frame(.pause) { $0.pause = .init(groupIDs: paused) }) }
    if !resumed.isEmpty {
      told.append(frames.frame(.resume) { $0.pause = .init(groupIDs: resumed) })
    }
    if let metrics = translation.metrics, owesBitrates(for: metrics, at: ContinuousClock.now) {
      told.append(frames.bitrates(for: owners, metrics))
    }
    return told
  }

  /// Returns whether the gateway must now send a frame of bitrates. If so, also records the current
  /// time as the time of this frame.
  ///
  /// A client needs these frames if it receives video and `media` has estimated its downlink, or if
  /// the client sends video.
  private func owesBitrates(
    for metrics: V1.MediaMetrics, at now: ContinuousClock.Instant
  ) -> Bool {
    let receives = pictures.reception.isReceiving && metrics.availableReceiveBitsPerSecond > 0
    guard receives || sendsVideo else { return false }
    if let lastBitrates, now - lastBitrates < Self.bitrateInterval { return false }
    lastBitrates = now
    return true
  }

  /// Whether the session publishes video.
  private var sendsVideo: Bool { session?.choices.published.isEmpty == false }

  /// The minimum time between two frames of bitrates. The gateway receives measurements once a
  /// second, and the client expects every fourth measurement.
  private static let bitrateInterval = Duration.milliseconds(3_500)

  /// The client's own roster entry, if the client is in a replica.
  ///
  /// A replica's roster does not list its audience, but each client expects its own entry in the
  /// roster.
  private var ownEntry: V1.RosterEntry? {
    guard let session, session.isReplica else { return nil }
    return V1.RosterEntry(
      attendee: session.record.attendee, isMuted: session.record.isMuted,
      isMutedByOperator: session.record.isMutedByOperator, joinedAtMs: session.record.openedAtMs,
      isMuteUnknown: session.record.isMuteUnknown)
  }

  private func beginning(_ frames: MeetingSignalFrames) -> ByteBuffer {
    frames.frame(.joinAck) { frame in
      frame.joinack = .init(
        videoSubscriptionLimit: 25, defaultServerSideNetworkAdaption: wish?.adaption)
      guard wish?.isNative == true else { return }
      // The native client requires the address of a TURN relay before it continues. The client
      // never uses the relay, so this address is a placeholder.
      frame.joinack?.turnCredentials = .init(
        username: "none", password: "none", ttl: 86_400, uris: ["turn:127.0.0.1:9"])
    }
  }

  private func index(_ frames: MeetingSignalFrames) -> ByteBuffer {
    hasIndex = true
    gate.indexed(at: ContinuousClock.now)
    return frames.index(
      for: owners, mayPublish: mayPublish, isSeen: session?.onlyWatches != true)
  }

  /// The attendee ids that belong to the receiver.
  private var owners: Set<String> {
    Set([session?.participant.attendee.text, session?.actorID.attendee.text].compactMap { $0 })
  }

  /// Returns the encoding whose number is `id`; `nil` if no other attendee sends this encoding.
  private func stream(_ id: UInt32) -> NumberedVideoEncoding? { meeting?.stream(id, for: owners) }

  /// Sends a new INDEX that reports whether the client may publish, for example after a promotion.
  func showIndex(mayPublish: Bool) {
    guard let meeting else { return }
    self.mayPublish = mayPublish
    send([index(meeting)])
  }

  func end(_ status: V1.Status?) {
    talk.end(status.flatMap { Status($0) }, isJoined: hasIndex, at: WallClock.nowMs)
    session = nil
    endedAt = ContinuousClock.now
    onOutput(self)
  }

  // MARK: Keep-alive

  /// Sends a ping. The pong to this ping acknowledges all bytes and positions that the gateway sent
  /// before the ping.
  func ping(at now: ContinuousClock.Instant) {
    lastPing = now
    guard !isGone, closing == nil else { return }
    let cursors = session.map { session in
      Dictionary(
        uniqueKeysWithValues: [MeetingStream.messages, .transcripts].compactMap { stream in
          session.cursors[stream].map { (stream, $0) }
        })
    }
    let bytes = sentBytes
    if pings.count >= Self.mostPings { pings.removeFirst() }
    pings.append(Ping(bytes: bytes, cursors: cursors ?? [:]))
    send([
      WebSocketServerFrame.ping((0..<8).map { UInt8(truncatingIfNeeded: bytes >> (56 - $0 * 8)) })
    ])
  }

  /// Whether the gateway has sent more bytes than the size of a ping since the last ping.
  var owesPing: Bool { sentBytes - (pings.last?.bytes ?? acknowledged) > Self.pingBytes }

  /// The size of a ping frame. After a ping, the gateway need not send a second ping until it has
  /// sent other data.
  private static let pingBytes = 10

  /// Processes a pong, which acknowledges everything that the gateway sent before the ping.
  func takePong(_ payload: [UInt8]) {
    guard payload.count == 8 else { return }
    let bytes = payload.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let place = pings.lastIndex(where: { UInt64($0.bytes) == bytes }) else { return }
    acknowledge(bytes)
    reached.merge(pings[place].cursors) { $1 }
    pings.removeFirst(place + 1)
  }

  /// Returns the state with which the client would resume now.
  func resumeState(of session: GatewayClientSession) -> ResumeState {
    ResumeState(
      positions: reached, isMuted: session.isMutedByItself,
      isMuteUnknown: session.record.isMuteUnknown, isMutedByHost: session.isMutedByHost)
  }

  /// Sets the positions from which the client resumes.
  func begin(at positions: [MeetingStream: StreamCursor]) { reached = positions }
}

/// One connection's output for its event loop.
struct QueuedBrowserOutput: Sendable {
  let rim: NIOLoopBound<WebSocketHandler>
  let frames: [ByteBuffer]
  let close: CloseCode?

  /// The number of processed messages and pongs.
  let taken: Int
}
