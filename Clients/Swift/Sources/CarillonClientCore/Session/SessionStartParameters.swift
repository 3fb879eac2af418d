/// The data that a connection needs to open a session.
struct SessionStartParameters: Hashable, Sendable {
  var meetingId: String
  var attendeeId: String
  var externalUserId: String
  /// The token that proves the right to join. The token is a secret, so no log may contain it.
  var joinToken: String
  var signalingUrl: String
  var audioHostUrl: String
  /// The gateway's ZeroMQ endpoint; `nil` if the client must still find the endpoint.
  var gatewayUrl: String?
  /// How long the session tries to restore a lost connection, in milliseconds.
  var reconnectTimeoutMs: Int
  /// The channels and sample rate of audio.
  var audioMode = AudioVideoConfiguration.defaultAudioMode
  /// The audio devices to use.
  var audioDevices = AudioVideoConfiguration.defaultAudioDeviceCapabilities
  /// Whether the session sends audio with redundancy against packet loss.
  var hasAudioRedundancy = AudioVideoConfiguration.defaultEnableAudioRedundancy
}

extension SessionStartParameters {
  init(_ configuration: MeetingSessionConfiguration, reconnectTimeoutMs: Int) {
    self.init(
      meetingId: configuration.meetingId, attendeeId: configuration.credentials.attendeeId,
      externalUserId: configuration.credentials.externalUserId,
      joinToken: configuration.credentials.joinToken,
      signalingUrl: configuration.urls.signalingUrl, audioHostUrl: configuration.urls.audioHostUrl,
      gatewayUrl: configuration.urls.gatewayUrl, reconnectTimeoutMs: reconnectTimeoutMs)
  }

  /// The credentials of the attendee who joins.
  var credentials: MeetingSessionCredentials {
    MeetingSessionCredentials(
      attendeeId: attendeeId, externalUserId: externalUserId, joinToken: joinToken)
  }

  /// Creates the parameters of the session in which the same attendee shares content.
  ///
  /// While the attendee is promoted, the session of the share is in the primary meeting.
  init(
    contentOf configuration: MeetingSessionConfiguration,
    promotedAs promoted: PrimaryMeetingAttendee?,
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

extension SessionMediaSettings {
  /// Creates the media settings of a session.
  ///
  /// - Parameter isCarried: Whether the session has a media engine.
  init(of start: SessionStartParameters, isCarried: Bool) {
    self.init()
    isContent = DefaultModality(id: start.attendeeId).isOfType(type: .content)
    hasAudio = isCarried && !isContent && start.audioDevices != .none
    sendsAudio = hasAudio && start.audioDevices == .inputAndOutput
    audioMode = start.audioMode
    hasAudioRedundancy = start.hasAudioRedundancy
  }
}
