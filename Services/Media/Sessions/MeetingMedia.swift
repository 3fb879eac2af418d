import MeetingModel
import Opus
import RTP
import ServiceHost

/// The media of one meeting: its sessions, their audio mixes and the forwarded video.
///
/// The code passes a packet with plain calls from a link to ``MeetingAudio`` or ``VideoRouter``,
/// and then to other links. The class uses no clock, socket or lock, so a test can use its own
/// links.
final class MeetingMedia {
  let id: MeetingID
  let rules: MediaRules

  /// The parameters of link estimates, which all sessions share.
  private let linkRules: LinkEstimateParameters
  let metrics: MediaCounters
  private let epoch: UInt64

  /// The sessions by their keys; an entry is `nil` if its key is free.
  private(set) var byKey: [MediaServerSession?] = []

  /// The free keys below `byKey.count`.
  private var freeKeys: [Int] = []
  private var byID: [SessionID: MediaServerSession] = [:]

  /// The sessions of content shares.
  private var shares: [MediaServerSession] = []

  /// The SSRCs in use.
  ///
  /// No two streams of the meeting share an SSRC.
  private var ssrcs: Set<UInt32> = []
  let audio: MeetingAudio
  var video: VideoRouter
  private var forwarding = ForwardingTable()

  /// The instance of `presence` that received the last report of levels.
  var levelsOwner: String?

  /// The instance of `video-tiles` that received the last report of tracks.
  var tracksOwner: String?

  /// The open streams of talkers, for transcription.
  var feeds: [TalkerFeed] = []

  /// The time spent on mixing, in microseconds.
  private(set) var mixing = 0

  /// The totals from the beginning of the meeting to the last full second. `lastSecond` contains
  /// the totals of that second alone.
  var lastTotals = MeetingMediaTotals()
  var lastSecond = MeetingMediaTotals()

  /// The router's counts that this code has already added to the metrics.
  private var countedVideo = VideoCounters()

  /// The time at which clients last got feedback on their packets.
  var acknowledgedAt: MonotonicTime?

  /// The time at which `media` last decided which estimates to send to publishers.
  var relayedAt: MonotonicTime?

  /// The next RTCP packet. Later packets reuse the storage of this packet.
  var control = RTCPWriter()

  /// The next audio packet. Later packets reuse the storage of this packet.
  private var outgoing: [UInt8] = []

  /// The audio packets to request from a client. Later calls reuse the storage of this array.
  private var missing: [SequenceNumber] = []

  /// The sessions whose mix pauses. Later calls reuse the storage of this array.
  private var silent: [SessionSlot] = []

  /// - Parameter epoch: The time of day at the origin of ``MonotonicTime``, in microseconds since
  ///   1970.
  init(_ id: MeetingID, rules: MediaRules, metrics: MediaCounters, epoch: UInt64) {
    self.id = id
    self.rules = rules
    linkRules = LinkEstimateParameters(rules.video)
    self.metrics = metrics
    self.epoch = epoch
    audio = MeetingAudio(settings: rules.audio, timestamp: .random(in: 0 ... .max))
    video = VideoRouter(rules.video, epoch: epoch)
  }

  var isEmpty: Bool { byID.isEmpty && feeds.isEmpty }

  /// The sessions, in the order of their admission. After a session has left, a new session may
  /// take its place in the order.
  var sessions: some Sequence<MediaServerSession> { byKey.lazy.compactMap(\.self) }

  /// Ends the streams of talkers.
  func close() {
    for feed in feeds { feed.end() }
    feeds = []
    for session in byID.values { session.leaveLink() }
  }

  // MARK: Admission

  /// Admits a session, or updates an admitted session.
  func admit(_ description: AnnouncedSession, at now: MonotonicTime) -> MediaServerSession {
    if let session = byID[description.session] {
      session.take(description)
      apply(session, at: now)
      return session
    }
    let index = freeKeys.popLast() ?? byKey.count
    let key = SessionSlot(index)
    let session = MediaServerSession(
      description, key: key, sendSSRC: takeSSRC(asked: description.sendSSRC),
      receiveSSRC: takeSSRC(asked: description.receiveSSRC), rules: linkRules, at: now)
    if index == byKey.count { byKey.append(session) } else { byKey[index] = session }
    byID[session.id] = session
    let isShare = session.participant.isContent
    audio.add(key, listens: !isShare, mode: description.audioMode, isShare: isShare)
    if isShare { shares.append(session) }
    apply(session, at: now)
    return session
  }

  func remove(_ session: MediaServerSession) {
    guard self.session(session.key) === session else { return }
    byKey[session.key.index] = nil
    freeKeys.append(session.key.index)
    byID[session.id] = nil
    shares.removeAll { $0 === session }
    ssrcs.subtract([session.sendSSRC, session.streams.receiveSSRC])
    audio.remove(session.key)
    video.remove(session.key)
    session.leaveLink()
    countDrops(of: session)
    countVideo()
  }

  // MARK: Connections

  /// Connects a session over a new link. The new link replaces the session's former link.
  func connect(_ session: MediaServerSession, over link: any PacketLink, at now: MonotonicTime) {
    if session.link !== link { session.leaveLink() }
    session.link = link
    session.downlink.reset(at: now, numbers: link.numbers, naming: link.transportNumbers)
    video.repeatRequests(to: session.key)
    apply(session, at: now)
  }

  /// Disconnects a session. Does nothing if the session is not connected.
  func disconnect(_ session: MediaServerSession, at now: MonotonicTime) {
    guard session.isConnected else { return }
    session.leaveLink()
    apply(session, at: now)
  }

  /// Counts the packets that a session's links dropped.
  ///
  /// - Returns: The number of dropped packets since the last call.
  @discardableResult
  func countDrops(of session: MediaServerSession) -> UInt64 {
    let count = session.takeDrops()
    if count > 0 { metrics.dropped[.slow].increment(by: count) }
    return count
  }

  /// Updates the metrics with the video requests that occurred since the last call.
  func countVideo() {
    metrics.video.count(from: countedVideo, to: video.counters)
    countedVideo = video.counters
  }

  /// Reserves the requested SSRC. If the requested SSRC is 0 or in use, reserves a random SSRC.
  private func takeSSRC(asked: UInt32) -> UInt32 {
    var ssrc = asked == 0 ? .random(in: 1 ... .max) : asked
    while !ssrcs.insert(ssrc).inserted { ssrc = .random(in: 1 ... .max) }
    return ssrc
  }

  /// Applies the rights of a session, and the state of the session's connection, to the session's
  /// audio and video.
  func apply(_ session: MediaServerSession, at now: MonotonicTime) {
    let key = session.key
    audio.setMayHear(key, session.isListening && session.isConnected)
    audio.setMayBeHeard(key, session.rights.mayBeHeard, at: now)
    audio.setVoiceFocus(key, session.isVoiceFocusEnabled)
    assignShares(of: session)
    if !session.rights.maySendVideo { dropEarlyVideo(from: key, for: .rights) }
    for tile in forwarding.tiles(from: session.id) {
      setPublisher(session, of: tile)
    }
    forward(to: session, at: now)
  }

  private func setPublisher(_ session: MediaServerSession?, of tile: UInt32) {
    video.setPublisher(
      session?.key, of: tile,
      ignoresEarlyRequests: session?.link?.ignoresEarlyKeyFrameRequests ?? false)
  }

  /// Assigns content shares to their sharers in the mix. A sharer does not hear its own content
  /// share.
  private func assignShares(of session: MediaServerSession) {
    guard !session.participant.isContent else {
      let sharer = sessions.first { isSharer($0, of: session) }
      return audio.setSharer(of: session.key, to: sharer?.key)
    }
    for share in shares {
      if isSharer(session, of: share) {
        audio.setSharer(of: share.key, to: session.key)
      } else if audio.sharer(of: share.key) == session.key {
        audio.setSharer(of: share.key, to: nil)
      }
    }
  }

  private func isSharer(_ session: MediaServerSession, of share: MediaServerSession) -> Bool {
    !session.participant.isContent && session.heardAs.attendee == share.heardAs.attendee
  }

  /// Applies a change of one right of a participant.
  ///
  /// An operator's mute and an attendee's capabilities also apply to the attendee's content share.
  /// Otherwise a muted attendee could speak through the share. A mute by the attendee itself, or by
  /// a host, applies to the attendee's voice alone.
  ///
  /// - Returns: Whether the participant has a session in this meeting.
  func change(
    _ change: RightsChange, of participant: ParticipantID, at now: MonotonicTime
  ) -> Bool {
    let concerned = sessions.filter { session in
      switch change {
      case .capabilities, .mutedByOperator: session.heardAs.attendee == participant.attendee
      case .muted: session.heardAs == participant
      }
    }
    for session in concerned {
      switch change {
      case .muted(let isMuted): session.rights.isMuted = isMuted
      case .mutedByOperator(let isMuted): session.rights.isMutedByOperator = isMuted
      case .capabilities(let capabilities): session.rights.capabilities = capabilities
      }
      apply(session, at: now)
    }
    return !concerned.isEmpty
  }

  func setVoiceFocus(_ isEnabled: Bool, of session: MediaServerSession) {
    session.isVoiceFocusEnabled = isEnabled
    audio.setVoiceFocus(session.key, isEnabled)
  }

  // MARK: Time

  /// Handles a tick of 20 ms: sends the mixes, runs the video router and sends feedback.
  func tick(at now: MonotonicTime) {
    askForSound(at: now)
    let start = ContinuousClock.now
    mix(at: now)
    mixing += Int((ContinuousClock.now - start).wholeUs)
    for session in sessions where video.isForwarding(to: session.key) {
      measureBacklog(of: session, at: now)
    }
    video.tick(at: now) { send($1, to: $0) }
    acknowledge(at: now)
    relayEstimates(at: now)
    refuseLateVideo(at: now)
  }

  /// Requests each lost audio packet once, if the retransmission can arrive before the packet's
  /// playout.
  private func askForSound(at now: MonotonicTime) {
    for session in sessions {
      guard let link = session.link, link.repeatsSound, let trip = session.streams.roundTrip else {
        continue
      }
      audio.takeMissing(of: session.key, within: trip, at: now, into: &missing)
      guard !missing.isEmpty else { continue }
      control.clear()
      control.addNack(
        sender: session.streams.receiveSSRC, media: session.sendSSRC, missing: missing.span)
      link.send(control.bytes.span)
      metrics.sent[.rtcp].increment()
    }
  }

  /// Measures the backlog at the connection of a client that does not acknowledge packets. The
  /// backlog shows whether the client is slow.
  private func measureBacklog(of session: MediaServerSession, at now: MonotonicTime) {
    guard let link = session.link, !session.downlink.isAcknowledged else { return }
    session.downlink.measure(backlog: link.backlog.bytes, at: now)
  }

  private func mix(at now: MonotonicTime) {
    mixVoices(at: now)
    sendSilence(at: now)
  }

  private func mixVoices(at now: MonotonicTime) {
    guard !feeds.isEmpty else {
      return audio.tick(at: now) { sendMix($1, $2, $3, to: $0, at: now) }
    }
    audio.tick(at: now) {
      sendMix($1, $2, $3, to: $0, at: now)
    } talk: { [self] key, samples, start, isLast in
      guard let session = byKey[key.index] else { return }
      let speaker = session.speaker
      let milliseconds = (epoch &+ UInt64(max(start.microseconds, 0))) / 1_000
      for feed in feeds {
        feed.take(key.index, speaker, samples, start: milliseconds, isLast: isLast)
      }
    }
    for feed in feeds { feed.flush() }
  }

  /// Sends silence to clients that need continuous sound, while their mix pauses.
  private func sendSilence(at now: MonotonicTime) {
    silent.removeAll(keepingCapacity: true)
    for session in sessions where session.needsSilence(at: now) { silent.append(session.key) }
    guard !silent.isEmpty else { return }
    let timestamp = audio.timestamp &- UInt32(VoiceDecoder.frameSize)
    let silent = silent
    sendMix(Self.silence.span, timestamp, false, to: silent.span, at: now)
  }

  /// 20 ms of silence: an Opus packet at full bandwidth whose frame is zero (RFC 6716, section
  /// 3.1).
  static let silence: [UInt8] = [0xF8, 0xFF, 0xFE]

  /// Sends the same payload to all listeners, to each in its own stream.
  private func sendMix(
    _ payload: Span<UInt8>, _ timestamp: UInt32, _ marker: Bool,
    to listeners: Span<SessionSlot>, at now: MonotonicTime
  ) {
    OutgoingRTPHeader(
      payloadType: 0, sequence: SequenceNumber(0), timestamp: timestamp, ssrc: 0, isMarked: marker
    ).begin(in: &outgoing)
    outgoing.append(copying: payload)
    var count: UInt64 = 0
    for index in listeners.indices {
      guard let session = byKey[listeners[index].index], let link = session.link else { continue }
      var span = outgoing.mutableSpan
      var numbers = session.streams.next(timestamp: timestamp, payloadBytes: payload.count)
      numbers.payloadType = session.downlink.numbers.opus
      numbers.apply(to: &span)
      link.send(outgoing.span)
      session.mixedAt = now
      session.downlink.sendAudio(
        numbers.ssrc, numbers.sequence, bytes: outgoing.count, at: now)
      count += 1
    }
    metrics.sent[.audio].increment(by: count)
  }

  // MARK: Decisions of video-tiles

  /// Applies an update of `video-tiles` to sources and receivers.
  func take(_ update: ForwardingUpdate, at now: MonotonicTime) {
    let changes = forwarding.take(update)
    for tile in changes.ended { video.end(tile: tile) }
    for source in changes.sources { video.put(source) }
    for tile in changes.published {
      setPublisher(forwarding.publisher(of: tile).flatMap { byID[$0] }, of: tile)
    }
    for receiver in changes.receivers {
      if let session = byID[receiver] { forward(to: session, at: now) }
    }
    if !changes.published.isEmpty { takeEarlyVideo(at: now) }
  }

  /// Forwards to a session the videos that the decisions and the session's link allow.
  ///
  /// A session without a connection gets nothing. When the session connects, each video starts with
  /// a key frame. If a browser has no section for a track, the track also pauses, and later starts
  /// with a key frame. While a track pauses, its stream remains, so the stream's sequence numbers
  /// later continue without a gap. The client would treat a gap as loss, and SRTP never sends a
  /// number twice.
  func forward(to session: MediaServerSession, at now: MonotonicTime) {
    var decided = forwarding.decisions(for: session.id)
    for index in decided.indices where !isCarried(decided[index].tile, to: session) {
      decided[index].layer = 0
    }
    video.decide(decided, for: session.key, over: session.downlink, at: now) { send($1, to: $0) }
  }

  private func isCarried(_ tile: UInt32, to session: MediaServerSession) -> Bool {
    guard session.isConnected, let link = session.link else { return false }
    return video.track(of: tile).map { link.carries(track: $0) } ?? false
  }

  /// Returns the session whose key is `key`; `nil` if the key is free.
  func session(_ key: SessionSlot) -> MediaServerSession? {
    byKey.indices.contains(key.index) ? byKey[key.index] : nil
  }
}
