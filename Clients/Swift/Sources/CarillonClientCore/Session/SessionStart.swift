/// What the link to the server needs to know to open a session.
struct SessionStart: Hashable, Sendable {
  var meetingId: String
  var attendeeId: String
  var externalUserId: String
  /// A secret: not for logs.
  var joinToken: String
  var signalingUrl: String
  var audioHostUrl: String
  /// The gateway's ZeroMQ endpoint when it is known beforehand.
  var gatewayUrl: String?
  /// How long a lost connection is tried again, in milliseconds.
  var reconnectTimeoutMs: Int
  /// How audio is coded.
  var audioMode = AudioVideoConfiguration.defaultAudioMode
  /// Which audio devices are used.
  var audioDevices = AudioVideoConfiguration.defaultAudioDeviceCapabilities
}

extension SessionStart {
  init(_ configuration: MeetingSessionConfiguration, reconnectTimeoutMs: Int) {
    self.init(
      meetingId: configuration.meetingId, attendeeId: configuration.credentials.attendeeId,
      externalUserId: configuration.credentials.externalUserId,
      joinToken: configuration.credentials.joinToken,
      signalingUrl: configuration.urls.signalingUrl, audioHostUrl: configuration.urls.audioHostUrl,
      gatewayUrl: configuration.urls.gatewayUrl, reconnectTimeoutMs: reconnectTimeoutMs)
  }

  /// Who joins.
  var credentials: MeetingSessionCredentials {
    MeetingSessionCredentials(
      attendeeId: attendeeId, externalUserId: externalUserId, joinToken: joinToken)
  }

  /// A second session, in which the same attendee shares content: in the primary meeting, while it
  /// is promoted there.
  init(
    contentOf configuration: MeetingSessionConfiguration, promotedAs promoted: PromotedAttendee?,
    reconnectTimeoutMs: Int
  ) {
    self.init(configuration, reconnectTimeoutMs: reconnectTimeoutMs)
    if let promoted {
      meetingId = promoted.meetingId
      attendeeId = promoted.credentials.attendeeId
      externalUserId = promoted.credentials.externalUserId
      joinToken = promoted.credentials.joinToken
    }
    let modality = DefaultModality.separator + ModalityType.content.description
    attendeeId += modality
    joinToken += modality
  }
}

extension MediaSettings {
  /// What a session takes part in.
  ///
  /// - Parameter isCarried: It has an engine that carries media.
  init(of start: SessionStart, isCarried: Bool) {
    self.init()
    isContent = DefaultModality(id: start.attendeeId).isOfType(type: .content)
    hasAudio = isCarried && !isContent && start.audioDevices != .none
    sendsAudio = hasAudio && start.audioDevices == .inputAndOutput
    audioMode = start.audioMode
  }
}
