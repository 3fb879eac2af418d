import Bus
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
  let participant: ParticipantID
  let externalUserID: ExternalUserID

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

  /// What of it was told last.
  var told = ReportedMedia()

  /// What its link carries, as it was told last; `nil` before.
  var estimate: DownlinkReport?

  /// What its client was told last; `nil` before.
  var metrics: SessionMetrics?

  /// How good its connection is.
  var signal = SignalMeter()

  /// Where its packets come from and go to; `nil` until its ticket was shown.
  var route: Route?

  /// Set while promoted: the attendee of the primary that it is heard as.
  var promotedAs: ParticipantIdentity?

  /// What it may do in its replica, to go back to when it is not promoted any more.
  var watchingRights: SendRights?

  /// Packets that were malformed, of a wrong SSRC or type, or not allowed.
  var refusedPackets: UInt64 = 0

  /// Packets toward it that were dropped because its connection was too slow.
  var droppedPackets: UInt64 = 0

  init(_ description: SessionDescription, key: SessionKey, sendSSRC: UInt32, receiveSSRC: UInt32) {
    id = description.session
    self.key = key
    meeting = description.meeting
    participant = description.participant
    externalUserID = description.externalUserID
    contact = .connected(description.gateway)
    openedAtMs = description.openedAtMs
    rights = description.rights
    ticket = description.ticket
    isVoiceFocusEnabled = description.isVoiceFocusEnabled
    audio = description.audio
    audioMode = description.audioMode
    promotedAs = description.promotedAs
    self.sendSSRC = sendSSRC
    streams = AudioStreams(
      receiveSSRC: receiveSSRC, sequence: SequenceNumber(.random(in: 0 ... .max)))
  }

  /// The same session was admitted again.
  func take(_ description: SessionDescription) {
    (contact, openedAtMs) = (.connected(description.gateway), description.openedAtMs)
    (rights, promotedAs) = (description.rights, description.promotedAs)
    isVoiceFocusEnabled = description.isVoiceFocusEnabled
    (audio, audioMode) = (description.audio, description.audioMode)
  }

  /// Whether the gateway that describes it had it before the one that has it now.
  func isNewer(than description: SessionDescription) -> Bool {
    description.openedAtMs < openedAtMs && description.gateway != contact.gateway
  }

  /// Whom it is heard as.
  var heardAs: ParticipantID { promotedAs?.id ?? participant }

  /// The same with the name that the application gave its user.
  var speaker: ParticipantIdentity {
    promotedAs ?? ParticipantIdentity(id: participant, externalUserID: externalUserID)
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

  /// Whether a mix is made for it.
  var isListening: Bool { rights.mayHear && audio.canReceive }
}
