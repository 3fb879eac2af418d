/// What is known about an event beside its name. Times and durations are in milliseconds.
public enum EventAttributeName: Int, CaseNamed {
  /// Manufacturer and model of the machine, with a space between them.
  case deviceName = 0
  /// Who made the machine, as its firmware says.
  case deviceManufacturer = 1
  /// The model of the machine, as its firmware says.
  case deviceModel = 2
  /// The operating system: `Linux`.
  case osName = 3
  /// The version of the operating system, as its release file says.
  case osVersion = 4
  /// The name of this library.
  case sdkName = 5
  /// The version of this library.
  case sdkVersion = 6
  /// The version of the media half of this library.
  case mediaSdkVersion = 7
  /// When the event happened, in milliseconds since 1970.
  case timestampMs = 8
  /// The local attendee's id.
  case attendeeId = 9
  /// The application's own id of the meeting, where it gave one.
  case externalMeetingId = 10
  /// The application's own id of the local attendee.
  case externalUserId = 11
  /// The meeting's id.
  case meetingId = 12
  /// The events of the session so far.
  case meetingHistory = 13
  /// The largest number of tiles that were there at the same time.
  case maxVideoTileCount = 14
  /// How long it took to connect, in milliseconds.
  case meetingStartDurationMs = 15
  /// How long it took to connect again after a loss, in milliseconds.
  case meetingReconnectDurationMs = 16
  /// How long the session has been connected, in milliseconds.
  case meetingDurationMs = 17
  /// The name of the status with which the session failed.
  case meetingErrorMessage = 18
  /// The `MeetingSessionStatusCode` with which the session ended.
  case meetingStatus = 19
  /// How often the network became too weak for voice.
  case poorConnectionCount = 20
  /// How often a lost connection was tried again.
  case retryCount = 21
  /// Why a camera could not be used.
  case videoInputError = 22
  /// Why a microphone could not be used.
  case audioInputError = 23
  /// Why signalling was lost, a `SignalingDroppedError`.
  case signalingDroppedError = 24
  /// Why a content share failed, a `VideoClientFailedError`.
  case contentShareError = 25
  /// The state of the process, an `AppState`.
  case appState = 26
  /// How full the battery is, 0 to 1. It is missing without a battery.
  case batteryLevel = 27
  /// What the battery does, a `BatteryState`.
  case batteryState = 28
  /// Why noise suppression could not be switched, a `VoiceFocusError`.
  case voiceFocusError = 29
  /// The kind of the audio device, a `MediaDeviceType`.
  case audioDeviceType = 30
  /// The kind of the camera, a `MediaDeviceType`.
  case videoDeviceType = 31
  /// Whether the machine saves power.
  case lowPowerModeEnabled = 32
  /// Why a camera stopped capturing, a `VideoInterruptionReason`.
  case videoInterruptionReason = 33
  /// How long media took to let the session in, in milliseconds.
  case iceGatheringDurationMs = 34
  /// How long it took to open signalling, in milliseconds.
  case signalingOpenDurationMs = 35
  /// How the machine is connected, a `NetworkConnectionType`.
  case networkConnectionType = 36
}
