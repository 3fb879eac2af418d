/// The reasons why a call for audio or video failed.
public enum MediaError: Int, Error, CaseNamed {
  /// The session is already started.
  case illegalState
  /// A URL of the audio service is missing, or the library could not create the connection.
  case audioFailedToStart
  /// No camera is available.
  case noCameraSelected
  /// No audio device is available.
  case noAudioDevices
  /// The system could not switch to the loudspeaker.
  case overrideOutputAudioPortFailed
  /// The system could not switch to the microphone.
  case setPreferredAudioInputFailed
}

/// The errors of calls that the system's permissions do not allow.
public enum PermissionError: Int, Error, CaseNamed {
  /// The application has no permission to record audio.
  case audioPermissionError
  /// The application has no permission to use the camera.
  case videoPermissionError
}
