import Bus
import MeetingModel
import NIOCore
import Wire

/// One browser, as the gateway's socket thread knows it: how a session reaches it, and what it was
/// told.
final class BrowserConnection: ClientLink {
  let number: BrowserNumber
  let handshake: BrowserHandshake
  let rim: NIOLoopBound<WebSocketHandler>
  let openedAt: ContinuousClock.Instant
  var talk = BrowserSignaling()

  /// `nil` before the client has joined, and when its session is over.
  weak var session: Session?

  /// What the meeting is to browsers; `nil` before the client has joined.
  var meeting: MeetingFrames?
  var wish: BrowserJoin? {
    didSet {
      gate = RosterGate(wantsMedia: wish?.wantsMedia ?? true)
      pictures.isNative = wish?.isNative ?? false
    }
  }

  /// The pictures that it gets and sends.
  private(set) lazy var pictures = BrowserPictures { [unowned self] in stream($0) }

  /// What it may ask for before it has a session.
  var requests: TokenBucket
  var lastHeard: ContinuousClock.Instant

  /// When it was told to go; it is hung up on a little later.
  var endedAt: ContinuousClock.Instant?

  /// Its WebSocket is no more, or is about to be.
  var isGone = false

  /// Called when something waits for its event loop.
  let onOutput: (BrowserConnection) -> Void

  private let budget: Int
  private var waiting: [SharedItem] = []
  private(set) var output: [ByteBuffer] = []
  private(set) var closing: CloseCode?
  private(set) var taken = 0
  private var sentBytes = 0
  private var acknowledged = 0
  private var hasIndex = false
  private var gate = RosterGate(wantsMedia: true)

  /// What it is to be shown when its gate opens, and whether that is now.
  private var held: PendingRoster?
  private var owesRoster = false
  private var hasRoster = false
  private var mayPublish = false
  private var lastBitrates: ContinuousClock.Instant?
  private var pings: [Ping] = []
  private(set) var lastPing: ContinuousClock.Instant

  /// How far the client has shown to be, in streams whose events must come once.
  private(set) var reached: [MeetingStream: StreamCursor] = [:]

  private struct Ping {
    let bytes: Int
    let cursors: [MeetingStream: StreamCursor]
  }

  /// How long one may be silent that answers every ping.
  static let silence = Duration.seconds(12)

  /// Pings that were not answered; the newest count.
  private static let mostPings = 32

  init(
    _ number: BrowserNumber, _ handshake: BrowserHandshake, _ rim: NIOLoopBound<WebSocketHandler>,
    budget: Int, now: ContinuousClock.Instant, onOutput: @escaping (BrowserConnection) -> Void
  ) {
    (self.number, self.handshake, self.rim) = (number, handshake, rim)
    (self.budget, self.onOutput) = (budget, onOutput)
    (openedAt, lastHeard, lastPing) = (now, now, now)
    requests = TokenBucket(RateLimit(perSecond: 10, burst: 100), now: now)
  }

  /// Whether its client waits for the session that it asked for.
  var isJoining: Bool { !isGone && talk.phase == .joining }

  // MARK: Output

  /// Sends whole frames of WebSocket.
  func send(_ frames: some Sequence<ByteBuffer>) {
    guard !isGone else { return }
    let isFirst = output.isEmpty && closing == nil && taken == 0
    for frame in frames {
      sentBytes += frame.readableBytes
      output.append(frame)
    }
    if isFirst { onOutput(self) }
  }

  /// Ends the connection behind what is on its way.
  func close(_ code: CloseCode) {
    guard !isGone, closing == nil else { return }
    let isFirst = output.isEmpty && taken == 0
    closing = code
    if isFirst { onOutput(self) }
  }

  /// So many messages and pongs were worked through: their connection may be read on.
  func took(_ messages: Int) {
    guard !isGone else { return }
    let isFirst = output.isEmpty && closing == nil && taken == 0
    taken += messages
    if isFirst { onOutput(self) }
  }

  /// What waits for the event loop.
  func takeOutput() -> BrowserOutput {
    defer {
      (output, taken) = ([], 0)
      if closing != nil { isGone = true }
    }
    return BrowserOutput(rim: rim, frames: output, close: closing, taken: taken)
  }

  // MARK: The session's link

  var isEmpty: Bool { waiting.isEmpty }
  var unacknowledged: Int { sentBytes - acknowledged }
  var isCongested: Bool { unacknowledged > budget / 4 }
  var longestSilence: Duration? { Self.silence }

  func queue(_ item: SharedItem) { waiting.append(item) }

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

  /// Whether it is told who speaks.
  var hearsLevels: Bool { hasRoster && wish?.wantsPresence == true && !isGone && closing == nil }

  /// What was said may have opened the gate: the roster follows the answer to a SUBSCRIBE.
  func followTalk() {
    if talk.hasSubscribed { gate.subscribed() }
    if talk.hasAnswered, gate.acknowledged() { showRoster() }
  }

  /// Shows the roster to one that has not subscribed in time.
  func look(at now: ContinuousClock.Instant) {
    if gate.look(at: now) { showRoster() }
  }

  /// The roster leaves with the next flush, which is one of the session's: who cannot take it is
  /// ended as with anything else.
  private func showRoster() {
    guard held != nil, let session else { return }
    owesRoster = true
    session.queue(SharedItem(V1.SessionEvents()))
  }

  private func deliver(_ frames: some Sequence<ByteBuffer>, of bytes: Int) -> FlushOutcome {
    guard unacknowledged + bytes <= budget else { return .overBudget }
    if bytes > 0 { send(frames) }
    return .sent
  }

  /// What one flush tells, before it is put in order.
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

  private func tell(_ item: SharedItem, _ frames: MeetingFrames, _ told: inout Batch) {
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

  /// The client's own pictures are not shown any more: it is told so by the error of a frame that
  /// says nothing else, and it removes its tile. The next SUBSCRIBE may publish again.
  private func end(_ ended: V1.PublishedVideoEnded, _ frames: MeetingFrames) -> ByteBuffer {
    session?.choices.published.removeAll { $0.kind == ended.kind }
    let text = ended.status?.message ?? ""
    return frames.frame(.notification) { frame in
      frame.notification = .init(level: .warning, message: text)
      frame.error = .init(status: 206, description: text)
    }
  }

  /// What is told of the pictures that the client receives: which of them stop and move again, and
  /// now and then what its link carries.
  private func pictureFrames(
    _ translation: MeetingFrames.Translation, _ frames: MeetingFrames
  ) -> [ByteBuffer] {
    var told: [ByteBuffer] = []
    let (paused, resumed) = pictures.take(translation.tiles)
    if !paused.isEmpty { told.append(frames.frame(.pause) { $0.pause = .init(groupIDs: paused) }) }
    if !resumed.isEmpty {
      told.append(frames.frame(.resume) { $0.pause = .init(groupIDs: resumed) })
    }
    if let downlink = translation.downlink, owesBitrates(at: ContinuousClock.now) {
      told.append(frames.bitrates(for: owners, downlink: downlink))
    }
    return told
  }

  /// Whether the client receives pictures, and has not heard of bitrates for long enough.
  private func owesBitrates(at now: ContinuousClock.Instant) -> Bool {
    guard pictures.reception.isReceiving else { return false }
    if let lastBitrates, now - lastBitrates < Self.bitrateInterval { return false }
    lastBitrates = now
    return true
  }

  /// Estimates come once a second; the client wants every fourth.
  private static let bitrateInterval = Duration.milliseconds(3_500)

  /// A replica's audience is in nobody's roster; its clients expect to see themselves.
  private var ownEntry: V1.RosterEntry? {
    guard let session, session.isReplica else { return nil }
    return V1.RosterEntry(
      attendee: session.record.attendee, isMuted: session.record.isMuted,
      isMutedByOperator: session.record.isMutedByOperator, joinedAtMs: session.record.openedAtMs,
      isMuteUnknown: session.record.isMuteUnknown)
  }

  private func beginning(_ frames: MeetingFrames) -> ByteBuffer {
    frames.frame(.joinAck) { frame in
      frame.joinack = .init(
        videoSubscriptionLimit: 25, defaultServerSideNetworkAdaption: wish?.adaption)
      guard wish?.isNative == true else { return }
      // It does not go on without a relay; there is none, and it needs none.
      frame.joinack?.turnCredentials = .init(
        username: "none", password: "none", ttl: 86_400, uris: ["turn:127.0.0.1:9"])
    }
  }

  private func index(_ frames: MeetingFrames) -> ByteBuffer {
    hasIndex = true
    gate.indexed(at: ContinuousClock.now)
    return frames.index(
      for: owners, mayPublish: mayPublish, isSeen: session?.onlyWatches != true)
  }

  /// The attendee ids that are the receiver's own.
  private var owners: Set<String> {
    Set([session?.participant.attendee.text, session?.actorID.attendee.text].compactMap { $0 })
  }

  /// Returns an encoding of somebody else; `nil` where there is none of this number.
  private func stream(_ id: UInt32) -> PictureStream? { meeting?.stream(id, for: owners) }

  /// Tells the client anew whether it may publish, as after a promotion.
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

  // MARK: Signs of life

  /// Asks the client how far it has come.
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
    send([ServerFrame.ping((0..<8).map { UInt8(truncatingIfNeeded: bytes >> (56 - $0 * 8)) })])
  }

  /// Whether something was sent that no ping has asked about.
  var owesPing: Bool { sentBytes - (pings.last?.bytes ?? acknowledged) > Self.pingBytes }

  /// A ping itself has as many bytes, and needs none.
  private static let pingBytes = 10

  /// The client has answered a ping.
  func takePong(_ payload: [UInt8]) {
    guard payload.count == 8 else { return }
    let bytes = payload.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let place = pings.lastIndex(where: { UInt64($0.bytes) == bytes }) else { return }
    acknowledge(bytes)
    reached.merge(pings[place].cursors) { $1 }
    pings.removeFirst(place + 1)
  }

  /// What the client would resume now.
  func resumeState(of session: Session) -> ResumeState {
    ResumeState(
      positions: reached, isMuted: session.isMutedByItself,
      isMuteUnknown: session.record.isMuteUnknown)
  }

  /// The client came with these positions.
  func begin(at positions: [MeetingStream: StreamCursor]) { reached = positions }
}

/// What one connection's event loop is to do.
struct BrowserOutput: Sendable {
  let rim: NIOLoopBound<WebSocketHandler>
  let frames: [ByteBuffer]
  let close: CloseCode?

  /// Messages that were worked through.
  let taken: Int
}
