/// Something that happened to the session and that analytics count.
public enum EventName: Int, CaseNamed {
  /// A microphone or loudspeaker was chosen.
  case audioInputSelected = 0
  /// A microphone could not be used.
  case audioInputFailed = 1
  /// A camera was chosen.
  case videoInputSelected = 2
  /// A camera could not be used.
  case videoInputFailed = 3
  /// The session began to connect.
  case meetingStartRequested = 4
  /// The session is connected for the first time since its start.
  case meetingStartSucceeded = 5
  /// The session is connected again after a loss.
  case meetingReconnected = 6
  /// The session could not begin to connect.
  case meetingStartFailed = 7
  /// The session ended by a failure.
  case meetingFailed = 8
  /// The session ended, by `stop()` or by the server.
  case meetingEnded = 9
  /// Signalling of video is open.
  case videoClientSignalingOpened = 10
  /// Signalling of video was lost.
  case videoClientSignalingDropped = 11
  /// Signalling of the content share is open.
  case contentShareSignalingOpened = 12
  /// Signalling of the content share was lost.
  case contentShareSignalingDropped = 13
  /// The path of video is there. Over ZeroMQ no paths are gathered: media has let the session in.
  case videoClientIceGatheringCompleted = 14
  /// The path of the content share is there: media has let it in.
  case contentShareIceGatheringCompleted = 15
  /// A content share was asked for.
  case contentShareStartRequested = 16
  /// The content share is being sent.
  case contentShareStarted = 17
  /// The content share was stopped.
  case contentShareStopped = 18
  /// The content share failed.
  case contentShareFailed = 19
  /// The process is in another state; also published by each start.
  case appStateChanged = 20
  /// The machine is short of memory.
  case appMemoryLow = 21
  /// Noise suppression was switched on.
  case voiceFocusEnabled = 22
  /// Noise suppression was switched off.
  case voiceFocusDisabled = 23
  /// Noise suppression could not be switched on.
  case voiceFocusEnableFailed = 24
  /// Noise suppression could not be switched off.
  case voiceFocusDisableFailed = 25
  /// Nothing was recorded or played for a second or longer: the process was suspended or starved.
  case audioInterruptionBegan = 26
  /// Sound goes on.
  case audioInterruptionEnded = 27
  /// The camera has given no picture for a second, though nobody stopped it.
  case videoInterruptionBegan = 28
  /// The camera captures again.
  case videoInterruptionEnded = 29
  /// The machine is connected in another way than before.
  case networkConnectionTypeChanged = 30
  /// The event has no name of its own.
  case unknown = 31
}
