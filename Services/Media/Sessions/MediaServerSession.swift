import MeetingModel
import Ownership
import RTP

/// One client session that may exchange media.
///
/// `media` does not store sessions on disk. After each restart of `media`, the session's gateway
/// admits the session again.
final class MediaServerSession {
  let id: SessionID

  /// The key of the session in its meeting. The code that handles packets uses the key.
  let key: SessionSlot
  let meeting: MeetingID

  /// The participant of the session. In a replica, this is the viewer.
  let identity: ParticipantIdentity

  /// The state of the contact with the session's client, through the gateway that last admitted the
  /// session.
  var contact: SessionConnectivity

  /// The time at which the client opened the session at the gateway that last admitted the session,
  /// in milliseconds since 1970-01-01T00:00:00Z; 0 if unknown.
  private(set) var openedAtMs: UInt64
  var rights: MediaRights
  var ticket: MediaTicket
  var isVoiceFocusEnabled: Bool

  /// The directions in which the client uses audio.
  var audio: MediaDirection
  var audioMode: AudioMode

  /// The SSRC of the audio packets that the client sends.
  let sendSSRC: UInt32

  /// The session's audio in both directions.
  var streams: AudioStreams

  /// The time at which the service sent the last packet of the session's mix; `nil` before the
  /// first packet.
  var mixedAt: MonotonicTime?

  /// The values that `media` last reported to other services.
  var told = LastReportedMedia()

  /// The last downlink report; `nil` before the first.
  var estimate: DownlinkReport?

  /// The schedule by which the client, as a publisher of video, gets the estimate of its only
  /// receiver's link.
  var relay = PublisherBandwidthEstimateRelay()

  /// The metrics that `media` last reported to the client; `nil` before the first report.
  var metrics: ServerMeasuredMediaMetrics?

  /// The quality of the session's connection.
  var signal = SignalMeter()

  /// The link to the session's client; `nil` while the client is not connected.
  var link: (any PacketLink)?

  /// The estimate of the session's link, and the packets in flight.
  let downlink: ReceiverLink

  /// The arrivals of the session's video packets, for the feedback to the client.
  var arrivals = ArrivalLog()

  /// The number of packets that former links of the session dropped.
  private var droppedEarlier: UInt64 = 0

  /// The number of dropped packets that ``takeDrops()`` has counted.
  private var countedDrops: UInt64 = 0

  /// The primary's attendee as whom a promoted session speaks; `nil` if the session is not
  /// promoted.
  var promotedAs: ParticipantIdentity?

  /// The rights in the replica. They apply again after the end of the promotion.
  var watchingRights: MediaRights?

  /// The number of packets that were malformed or not allowed, or had a wrong SSRC or type.
  var refusedPackets: UInt64 = 0

  /// The upper bound of the first sequence number of a stream. If the number wraps while the
  /// network loses the first packets of a stream, an SRTP receiver guesses a wrong roll-over
  /// counter (RFC 3711, section 3.3.1).
  private static let firstSequences: UInt16 = 1 << 15

  /// - Parameter rules: The parameters for the estimate of the session's link.
  init(
    _ description: AnnouncedSession, key: SessionSlot, sendSSRC: UInt32, receiveSSRC: UInt32,
    rules: LinkEstimateParameters = LinkEstimateParameters(VideoForwardingParameters()),
    at now: MonotonicTime = MonotonicTime(microseconds: 0)
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

  /// Applies a new description, because a gateway has admitted the session again.
  func take(_ description: AnnouncedSession) {
    (contact, openedAtMs) = (.connected(description.gateway), description.openedAtMs)
    (rights, promotedAs) = (description.rights, description.promotedAs)
    isVoiceFocusEnabled = description.isVoiceFocusEnabled
    (audio, audioMode) = (description.audio, description.audioMode)
  }

  /// Returns whether `description` is outdated: another gateway sent it, and the client opened the
  /// session at that gateway earlier than at the present gateway.
  func isNewer(than description: AnnouncedSession) -> Bool {
    description.openedAtMs < openedAtMs && description.gateway != contact.gateway
  }

  // MARK: The session's link

  /// Whether the client is connected.
  var isConnected: Bool { link != nil }

  /// Closes the link of the session. Does nothing if the session has no link.
  func leaveLink() {
    guard let link else { return }
    droppedEarlier += link.droppedPackets
    self.link = nil
    link.close()
  }

  /// Returns the number of packets to the client that the session's links dropped since the last
  /// call.
  func takeDrops() -> UInt64 {
    let dropped = droppedPackets
    defer { countedDrops = dropped }
    return dropped - countedDrops
  }

  /// The number of packets to the client that the session's links dropped.
  var droppedPackets: UInt64 { droppedEarlier + (link?.droppedPackets ?? 0) }

  // MARK: Identity

  var participant: ParticipantID { identity.id }

  /// The participant as whom the session speaks.
  var heardAs: ParticipantID { promotedAs?.id ?? participant }

  /// The identity of the participant ``heardAs``, including the external user id.
  var speaker: ParticipantIdentity {
    promotedAs ?? identity
  }

  /// Makes the session act as an attendee of the primary, with `rights`.
  func promote(to identity: ParticipantIdentity, _ rights: MediaRights) {
    if promotedAs == nil { watchingRights = self.rights }
    promotedAs = identity
    self.rights = rights
  }

  /// Makes the session a viewer again.
  func demote() {
    promotedAs = nil
    rights = watchingRights ?? rights
    rights.isReplica = true
    watchingRights = nil
  }

  /// Returns whether the client needs a packet of silence: the client needs continuous sound, and
  /// its mix had no packet in this tick.
  func needsSilence(at now: MonotonicTime) -> Bool {
    guard let link, link.isContinuous, isListening else { return false }
    return mixedAt != now
  }

  /// Whether the session gets a mix.
  var isListening: Bool { rights.mayHear && audio.canReceive }
}
