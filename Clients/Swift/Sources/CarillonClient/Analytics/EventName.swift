/// Something that happened to the session and that analytics count.
public enum EventName: Int, CaseNamed {
  case audioInputSelected = 0
  case audioInputFailed = 1
  case videoInputSelected = 2
  case videoInputFailed = 3
  case meetingStartRequested = 4
  case meetingStartSucceeded = 5
  case meetingReconnected = 6
  case meetingStartFailed = 7
  case meetingFailed = 8
  case meetingEnded = 9
  case videoClientSignalingOpened = 10
  case videoClientSignalingDropped = 11
  case contentShareSignalingOpened = 12
  case contentShareSignalingDropped = 13
  case videoClientIceGatheringCompleted = 14
  case contentShareIceGatheringCompleted = 15
  case contentShareStartRequested = 16
  case contentShareStarted = 17
  case contentShareStopped = 18
  case contentShareFailed = 19
  case appStateChanged = 20
  case appMemoryLow = 21
  case voiceFocusEnabled = 22
  case voiceFocusDisabled = 23
  case voiceFocusEnableFailed = 24
  case voiceFocusDisableFailed = 25
  case audioInterruptionBegan = 26
  case audioInterruptionEnded = 27
  case videoInterruptionBegan = 28
  case videoInterruptionEnded = 29
  case networkConnectionTypeChanged = 30
  case unknown = 31
}
