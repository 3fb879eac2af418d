/// The name of an attribute of an event. Times and durations are in milliseconds.
public enum EventAttributeName: Int, CaseNamed {
  /// The manufacturer and the model of the machine, separated by a space.
  case deviceName = 0
  /// The manufacturer of the machine, from the machine's firmware.
  case deviceManufacturer = 1
  /// The model of the machine, from the machine's firmware.
  case deviceModel = 2
  /// The operating system: `Linux`.
  case osName = 3
  /// The version of the operating system, from the system's release file.
  case osVersion = 4
  /// The name of this library.
  case sdkName = 5
  /// The version of this library.
  case sdkVersion = 6
  /// The version of this library's media part.
  case mediaSdkVersion = 7
  /// The time at which the event happened, in milliseconds since 1970.
  case timestampMs = 8
  /// The local attendee's id.
  case attendeeId = 9
  /// The application's own id of the meeting, if the meeting has one.
  case externalMeetingId = 10
  /// The application's own id of the local attendee.
  case externalUserId = 11
  /// The meeting's id.
  case meetingId = 12
  /// The events of the session so far.
  case meetingHistory = 13
  /// The largest number of simultaneous tiles.
  case maxVideoTileCount = 14
  /// How long the session took to connect, in milliseconds.
  case meetingStartDurationMs = 15
  /// How long the session took to reconnect, in milliseconds.
  case meetingReconnectDurationMs = 16
  /// How long the session has been connected, in milliseconds.
  case meetingDurationMs = 17
  /// The name of the status with which the session failed.
  case meetingErrorMessage = 18
  /// The `MeetingSessionStatusCode` with which the session ended.
  case meetingStatus = 19
  /// The number of times that the network became too poor for audio.
  case poorConnectionCount = 20
  /// The number of times that the session reconnected.
  case retryCount = 21
  /// The reason why the session could not use a camera.
  case videoInputError = 22
  /// The reason why the session could not use a microphone.
  case audioInputError = 23
  /// The reason for the loss of signaling, a `SignalingDroppedError`.
  case signalingDroppedError = 24
  /// The reason why a content share failed, a `VideoClientFailedError`.
  case contentShareError = 25
  /// The state of the process, an `AppState`.
  case appState = 26
  /// The charge of the battery, 0 to 1; missing if the machine has no battery.
  case batteryLevel = 27
  /// The state of the battery, a `BatteryState`.
  case batteryState = 28
  /// The reason why the session could not change noise suppression, a `VoiceFocusError`.
  case voiceFocusError = 29
  /// The kind of the audio device, a `MediaDeviceType`.
  case audioDeviceType = 30
  /// The kind of the camera, a `MediaDeviceType`.
  case videoDeviceType = 31
  /// Whether the machine saves power at the cost of speed.
  case lowPowerModeEnabled = 32
  /// The reason why a camera stopped capturing, a `VideoInterruptionReason`.
  case videoInterruptionReason = 33
  /// How long `media` took to admit the session, in milliseconds.
  case iceGatheringDurationMs = 34
  /// How long signaling took to open, in milliseconds.
  case signalingOpenDurationMs = 35
  /// The type of the machine's network connection, a `NetworkConnectionType`.
  case networkConnectionType = 36
}
