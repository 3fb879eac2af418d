/// The reasons why a call for audio or video failed.
public enum MediaError: Int, Error, CaseNamed {
  /// The session is already started.
  case illegalState
  /// A URL of the audio service is missing, or the connection could not be created.
  case audioFailedToStart
  /// No camera is available.
  case noCameraSelected
  /// No audio device is available.
  case noAudioDevices
  /// The loudspeaker could not be chosen.
  case overrideOutputAudioPortFailed
  /// The microphone could not be chosen.
  case setPreferredAudioInputFailed
}

/// The errors of calls that the system's permissions do not allow.
public enum PermissionError: Int, Error, CaseNamed {
  /// The application has no permission to record audio.
  case audioPermissionError
  /// The application has no permission to use the camera.
  case videoPermissionError
}
