/// The reasons why a call on audio or video failed.
public enum MediaError: Int, Error, CaseNamed {
  /// The session is started already.
  case illegalState
  /// A URL of the audio service is missing, or the connection could not be created.
  case audioFailedToStart
  /// There is no camera to use.
  case noCameraSelected
  /// There is no audio device to use.
  case noAudioDevices
  /// The loudspeaker could not be chosen.
  case overrideOutputAudioPortFailed
  /// The microphone could not be chosen.
  case setPreferredAudioInputFailed
}

/// The permission that a call lacked.
public enum PermissionError: Int, Error, CaseNamed {
  /// The application may not record.
  case audioPermissionError
  /// The application may not use the camera.
  case videoPermissionError
}
