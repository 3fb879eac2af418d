import Bus
import MeetingModel
import RTP
import Wire

/// One client session that may exchange media. Soft state: its gateway admits it again to each new
/// term.
final class MediaSession {
  let id: SessionID

  /// Names the session in its meeting, where packets are handled.
  let key: Int
  let meeting: MeetingID
  let participant: ParticipantID
  let externalUserID: ExternalUserID

  /// Who admitted it last, and in which run.
  var gateway: GatewayName
  var gatewayRun: UInt64
  var rights: SendRights
  var ticket: MediaTicket
  var isVoiceFocusEnabled: Bool

  /// What of audio the client itself uses.
  var audio: V1.MediaDirection
  var audioMode: V1.AudioMode

  /// SSRC of its audio packets.
  let sendSSRC: UInt32

  /// Its audio in both directions.
  var streams: AudioStreams

  /// What of it was told last.
  var told = ToldMedia()

  /// What its link carries, as it was told last; `nil` before.
  var estimate: DownlinkReport?

  /// What its client was told last; `nil` before.
  var metrics: V1.MediaMetrics?

  /// How good its connection is.
  var signal = SignalMeter()

  /// Whether packets waited for it at the last look.
  var hadBacklog = false

  /// Where its packets come from and go to; `nil` until its ticket was shown.
  var route: Route?

  /// Set while promoted: the attendee of the primary that it is heard as.
  var promotedAs: ParticipantID?

  /// What it may do in its replica, to go back to when it is not promoted any more.
  var watchingRights: SendRights?

  /// Packets that were malformed, of a wrong SSRC or type, or not allowed.
  var refusedPackets: UInt64 = 0

  /// Packets toward it that were dropped because its connection was too slow.
  var droppedPackets: UInt64 = 0

  init(_ admission: Admission, key: Int, sendSSRC: UInt32, receiveSSRC: UInt32) {
    id = admission.session
    self.key = key
    meeting = admission.meeting
    participant = admission.participant
    externalUserID = admission.externalUserID
    gateway = admission.gateway
    gatewayRun = admission.gatewayRun
    rights = admission.rights
    ticket = admission.ticket
    isVoiceFocusEnabled = admission.isVoiceFocusEnabled
    audio = admission.audio
    audioMode = admission.audioMode
    promotedAs = admission.promotedAs
    self.sendSSRC = sendSSRC
    streams = AudioStreams(
      receiveSSRC: receiveSSRC, sequence: SequenceNumber(.random(in: 0 ... .max)))
  }

  /// The same session was admitted again.
  func take(_ admission: Admission) {
    (gateway, gatewayRun) = (admission.gateway, admission.gatewayRun)
    (rights, promotedAs) = (admission.rights, admission.promotedAs)
    isVoiceFocusEnabled = admission.isVoiceFocusEnabled
    (audio, audioMode) = (admission.audio, admission.audioMode)
  }

  /// Whom it is heard as.
  var heardAs: ParticipantID { promotedAs ?? participant }

  /// Whether a mix is made for it.
  var isListening: Bool { rights.mayHear && audio != .none && audio != .send }
}

/// An admission as a gateway asked for it, checked.
struct Admission {
  let meeting: MeetingID
  let session: SessionID
  let participant: ParticipantID
  let externalUserID: ExternalUserID
  let rights: SendRights
  let ticket: MediaTicket
  let promotedAs: ParticipantID?
  let audioMode: V1.AudioMode
  let audio: V1.MediaDirection
  let isVoiceFocusEnabled: Bool

  /// 0: media chooses.
  let sendSSRC: UInt32

  /// 0: media chooses.
  let receiveSSRC: UInt32
  let gateway: GatewayName
  let gatewayRun: UInt64

  /// Reads a request as it arrived.
  ///
  /// - Throws: ``MediaError/malformed(field:rule:)`` or `ModelError` for a wrong field.
  init(_ request: V1.AdmitRequest) throws {
    meeting = try MeetingID(request.meetingID)
    session = try SessionID(wire: request.sessionID)
    guard let attendee = request.attendee else {
      throw MediaError.malformed(field: "attendee", rule: "present")
    }
    participant = try ParticipantID(attendee.attendeeID)
    externalUserID = try ExternalUserID(attendee.externalUserID)
    promotedAs = try request.promotedAs.map { try ParticipantID($0.attendeeID) }
    let asked = request.rights ?? V1.SendRights()
    rights = SendRights(
      capabilities: try AttendeeCapabilities(asked.capabilities), isMuted: asked.isMuted,
      isMutedByOperator: asked.isMutedByOperator, isContent: participant.isContent,
      isReplica: !request.replicaMeetingID.isEmpty && promotedAs == nil)
    ticket = try MediaTicket(wire: request.ticket)
    audioMode = request.audioMode
    audio = request.audio
    isVoiceFocusEnabled = request.isVoiceFocusEnabled
    sendSSRC = request.audioSendSSRC
    receiveSSRC = request.audioReceiveSSRC
    gateway = try GatewayName(wire: request.gateway)
    gatewayRun = request.gatewayRun
  }
}
