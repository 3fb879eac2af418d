/// Why a call on audio or video could not be carried out.
public enum MediaError: Int, Error, CaseNamed {
  /// The session is started already.
  case illegalState
  /// A URL is missing.
  case audioFailedToStart
  case noCameraSelected
  case noAudioDevices
  case overrideOutputAudioPortFailed
  case setPreferredAudioInputFailed
}
