import MeetingModel
import Wire

/// One client's use of media: the values in the client's Start, and the instance that has admitted
/// the client.
struct ClientMediaUse {
  /// The directions of audio that the client uses.
  private(set) var audio = V1.MediaDirection()

  /// The audio mode that the client requested.
  private(set) var audioMode = V1.AudioMode()

  /// Whether noise suppression is on for the client's uplink.
  var isVoiceFocusEnabled = false

  /// The SSRC of the client's audio packets. If the value is 0, `media` chooses an SSRC.
  private(set) var sendSSRC: UInt32 = 0

  /// The SSRC of the mix that the client receives. If the value is 0, `media` chooses an SSRC.
  private(set) var receiveSSRC: UInt32 = 0

  /// The instance of `media` that last admitted the client; `nil` if no instance has admitted the
  /// client, or after ``forgetAdmission()``.
  private(set) var admittedAt: String?

  /// Whether any instance of `media` has ever admitted the client.
  private(set) var isAdmitted = false

  /// Creates the value for a client whose Start specifies nothing about media.
  init() {}

  init(_ request: V1.StartRequest) {
    audio = request.audio
    audioMode = request.audioMode
    isVoiceFocusEnabled = request.isVoiceFocusEnabled
    sendSSRC = request.audioSendSSRC
  }

  /// Records that `media` has lost the client's admission.
  mutating func forgetAdmission() { admittedAt = nil }

  /// Records that `media` has admitted the client.
  ///
  /// After the admission, the SSRCs do not change.
  mutating func admitted(_ format: V1.MediaFormat?, at instance: String) {
    (isAdmitted, admittedAt) = (true, instance)
    sendSSRC = format?.audioSendSSRC ?? sendSSRC
    receiveSSRC = format?.audioReceiveSSRC ?? receiveSSRC
  }
}
