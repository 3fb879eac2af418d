import MeetingModel
import Ownership
import RTP

/// One client session that may exchange media. Soft state: its gateway admits it again to each new
/// term.
final class MediaSession {
  let id: SessionID

  /// Names the session in its meeting, where packets are handled.
  let key: SessionKey
  let meeting: MeetingID

  /// Whose it is; in a replica the one who watches.
  let identity: ParticipantIdentity

  /// Whether the gateway that admitted it last still has it.
  var contact: Contact

  /// When it came to that gateway, in milliseconds since 1970-01-01T00:00:00Z; 0: not known.
  private(set) var openedAtMs: UInt64
  var rights: SendRights
  var ticket: MediaTicket
  var isVoiceFocusEnabled: Bool

  /// What of audio the client itself uses.
  var audio: MediaDirection
  var audioMode: AudioMode

  /// SSRC of its audio packets.
  let sendSSRC: UInt32

  /// Its audio in both directions.
  var streams: AudioStreams

  /// When a packet of its mix was sent last; `nil` before.
  var mixedAt: MediaTime?

  /// What of it was told last.
  var told = ReportedMedia()

  /// What its link carries, as it was told last; `nil` before.
  var estimate: DownlinkReport?

  /// What its client was told last; `nil` before.
  var metrics: SessionMetrics?

  /// How good its connection is.
  var signal = SignalMeter()

  /// The way of its packets to its client; `nil` while the client is not connected.
  var link: (any PacketLink)?

  /// What its link carries and what is under way on it.
  let downlink: ReceiverLink

  /// The arrivals of its video packets, which its client is told.
  var arrivals = ArrivalLog()

  /// Packets that the links dropped which it has left.
  private var droppedEarlier: UInt64 = 0

  /// Packets that ``takeDrops()`` has counted.
  private var countedDrops: UInt64 = 0

  /// Set while promoted: the attendee of the primary that it is heard as.
  var promotedAs: ParticipantIdentity?

  /// What it may do in its replica, to go back to when it is not promoted any more.
  var watchingRights: SendRights?

  /// Packets that were malformed, of a wrong SSRC or type, or not allowed.
  var refusedPackets: UInt64 = 0

  /// Streams begin with a number below this one. If the first packets of a stream are lost while
  /// its number wraps, an SRTP receiver guesses a wrong roll-over counter (RFC 3711, section
  /// 3.3.1).
  private static let firstSequences: UInt16 = 1 << 15

  /// - Parameter rules: How its link is estimated.
  init(
    _ description: AnnouncedSession, key: SessionKey, sendSSRC: UInt32, receiveSSRC: UInt32,
    rules: VideoRules = VideoRules(), at now: MediaTime = MediaTime(microseconds: 0)
  ) {
    id = description.session
    self.key = key
    meeting = description.meeting
    identity = description.identity
    contact = .connected(description.gateway)
    openedAtMs = description.openedAtMs
    rights = description.rights
    ticket = description.ticket
    isVoiceFocusEnabled = description.isVoiceFocusEnabled
    audio = description.audio
    audioMode = description.audioMode
    promotedAs = description.promotedAs
    downlink = ReceiverLink(rules, at: now)
    self.sendSSRC = sendSSRC
    streams = AudioStreams(
      receiveSSRC: receiveSSRC, sequence: SequenceNumber(.random(in: 0..<Self.firstSequences)))
  }

  /// The same session was admitted again.
  func take(_ description: AnnouncedSession) {
    (contact, openedAtMs) = (.connected(description.gateway), description.openedAtMs)
    (rights, promotedAs) = (description.rights, description.promotedAs)
    isVoiceFocusEnabled = description.isVoiceFocusEnabled
    (audio, audioMode) = (description.audio, description.audioMode)
  }

  /// Whether the gateway that describes it had it before the one that has it now.
  func isNewer(than description: AnnouncedSession) -> Bool {
    description.openedAtMs < openedAtMs && description.gateway != contact.gateway
  }

  // MARK: Its link

  /// Whether its client is connected.
  var isConnected: Bool { link != nil }

  /// It leaves its link, if it has one, and the link carries nothing for it any more.
  func leaveLink() {
    guard let link else { return }
    droppedEarlier += link.droppedPackets
    self.link = nil
    link.close()
  }

  /// Packets toward it that its links dropped since this was asked last.
  func takeDrops() -> UInt64 {
    let dropped = droppedPackets
    defer { countedDrops = dropped }
    return dropped - countedDrops
  }

  /// Packets toward it that its links dropped.
  var droppedPackets: UInt64 { droppedEarlier + (link?.droppedPackets ?? 0) }

  // MARK: Whom it stands for

  var participant: ParticipantID { identity.id }

  /// Whom it is heard as.
  var heardAs: ParticipantID { promotedAs?.id ?? participant }

  /// The same with the name that the application gave its user.
  var speaker: ParticipantIdentity {
    promotedAs ?? identity
  }

  /// It acts in the primary from now on, as far as `rights` let it.
  func promote(to identity: ParticipantIdentity, _ rights: SendRights) {
    if promotedAs == nil { watchingRights = self.rights }
    promotedAs = identity
    self.rights = rights
  }

  /// It only watches again.
  func demote() {
    promotedAs = nil
    rights = watchingRights ?? rights
    rights.isReplica = true
    watchingRights = nil
  }

  /// Whether its client waits for sound, and its mix had none at this tick.
  func needsSilence(at now: MediaTime) -> Bool {
    guard let link, link.isContinuous, isListening else { return false }
    return mixedAt != now
  }

  /// Whether a mix is made for it.
  var isListening: Bool { rights.mayHear && audio.canReceive }
}
