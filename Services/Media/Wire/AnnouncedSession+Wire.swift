import MeetingModel
import Wire

extension AnnouncedSession {
  /// Reads a gateway's request.
  ///
  /// - Throws: ``MediaError/malformed(field:rule:)`` or `InvalidModelValue` for an invalid field.
  init(_ request: V1.AdmitRequest) throws {
    meeting = try MeetingID(request.meetingID)
    session = try SessionID(wire: request.sessionID)
    guard let attendee = request.attendee else {
      throw MediaError.malformed(field: "attendee", rule: "present")
    }
    identity = try ParticipantIdentity(attendee)
    promotedAs = try request.promotedAs.map { try ParticipantIdentity($0) }
    let asked = request.rights ?? V1.SendRights()
    rights = MediaRights(
      capabilities: try AttendeeCapabilities(asked.capabilities), isMuted: asked.isMuted,
      isMutedByOperator: asked.isMutedByOperator, isContent: identity.id.isContent,
      isReplica: !request.replicaMeetingID.isEmpty && promotedAs == nil)
    ticket = try MediaTicket(wire: request.ticket)
    audioMode = AudioMode(request.audioMode) ?? .stereo48K
    audio = MediaDirection(request.audio) ?? .sendReceive
    isVoiceFocusEnabled = request.isVoiceFocusEnabled
    sendSSRC = request.audioSendSSRC
    receiveSSRC = request.audioReceiveSSRC
    gateway = try GatewayName(wire: request.gateway)
    gatewayRun = request.gatewayRun
    openedAtMs = request.openedAtMs
  }
}

extension RightsChange {
  /// Reads a change of rights.
  ///
  /// - Throws: ``MediaError/malformed(field:rule:)`` if the change is missing; `InvalidModelValue`
  ///   for invalid capabilities.
  init(_ change: V1.SetSendRightsRequest.Change?) throws {
    switch change {
    case .isMuted(let isMuted): self = .muted(isMuted)
    case .isMutedByOperator(let isMuted): self = .mutedByOperator(isMuted)
    case .capabilities(let capabilities):
      self = .capabilities(try AttendeeCapabilities(capabilities))
    case nil: throw MediaError.malformed(field: "change", rule: "present")
    }
  }
}

extension V1.SendRights {
  /// Encodes the rights for reports to operators.
  init(_ rights: MediaRights) {
    self.init(
      capabilities: V1.Capabilities(rights.capabilities), isMuted: rights.isMuted,
      isMutedByOperator: rights.isMutedByOperator)
  }
}
