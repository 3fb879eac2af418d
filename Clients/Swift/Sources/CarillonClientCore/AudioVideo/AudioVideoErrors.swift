/// Why a call on audio or video could not be carried out.
public enum MediaError: Int, Error, CaseNamed {
  /// The session is started already.
  case illegalState
  /// A URL is missing.
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

/// The application may not use a device it asked for.
public enum PermissionError: Int, Error, CaseNamed {
  /// The application may not record.
  case audioPermissionError
  /// The application may not use the camera.
  case videoPermissionError
}
