import MeetingModel
import Wire

/// How one client uses media: what it asked for on its Start, and where media has let it in.
struct MediaPreferences {
  /// What of audio the client itself uses.
  private(set) var audio = V1.MediaDirection()

  /// How the client wants audio.
  private(set) var audioMode = V1.AudioMode()

  /// Noise suppression on its uplink.
  var isVoiceFocusEnabled = false

  /// SSRC of its audio packets; 0: media chooses.
  private(set) var sendSSRC: UInt32 = 0

  /// SSRC of the mix that it gets; 0: media chooses.
  private(set) var receiveSSRC: UInt32 = 0

  /// The instance of media that has let the client in, as far as the gateway knows.
  private(set) var admittedAt: String?

  /// Whether media has ever let the client in.
  private(set) var isAdmitted = false

  /// Preferences of a client that chose nothing.
  init() {}

  init(_ request: V1.StartRequest) {
    audio = request.audio
    audioMode = request.audioMode
    isVoiceFocusEnabled = request.isVoiceFocusEnabled
    sendSSRC = request.audioSendSSRC
  }

  /// Media does not know the client any more.
  mutating func forgetAdmission() { admittedAt = nil }

  /// Media let the client in; SSRCs stay the same from now on.
  mutating func admitted(_ format: V1.MediaFormat?, at instance: String) {
    (isAdmitted, admittedAt) = (true, instance)
    sendSSRC = format?.audioSendSSRC ?? sendSSRC
    receiveSSRC = format?.audioReceiveSSRC ?? receiveSSRC
  }
}
