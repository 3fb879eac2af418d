import MeetingModel
import Wire

/// One client's use of media: what its Start requested, and where media has admitted it.
struct MediaPreferences {
  /// The directions of audio that the client uses.
  private(set) var audio = V1.MediaDirection()

  /// The audio mode that the client requested.
  private(set) var audioMode = V1.AudioMode()

  /// Whether noise suppression is on for the client's uplink.
  var isVoiceFocusEnabled = false

  /// The SSRC of the client's audio packets; 0: media chooses.
  private(set) var sendSSRC: UInt32 = 0

  /// The SSRC of the mix that the client receives; 0: media chooses.
  private(set) var receiveSSRC: UInt32 = 0

  /// The instance of media that has admitted the client, as far as the gateway knows.
  private(set) var admittedAt: String?

  /// Whether media has ever admitted the client.
  private(set) var isAdmitted = false

  /// The preferences of a client that chose nothing.
  init() {}

  init(_ request: V1.StartRequest) {
    audio = request.audio
    audioMode = request.audioMode
    isVoiceFocusEnabled = request.isVoiceFocusEnabled
    sendSSRC = request.audioSendSSRC
  }

  /// Records that media no longer knows the client.
  mutating func forgetAdmission() { admittedAt = nil }

  /// Records that media admitted the client.
  ///
  /// The SSRCs stay the same from now on.
  mutating func admitted(_ format: V1.MediaFormat?, at instance: String) {
    (isAdmitted, admittedAt) = (true, instance)
    sendSSRC = format?.audioSendSSRC ?? sendSSRC
    receiveSSRC = format?.audioReceiveSSRC ?? receiveSSRC
  }
}
