/// The name of an event of the session.
public enum EventName: Int, CaseNamed {
  /// The application chose a microphone or a loudspeaker.
  case audioInputSelected = 0
  /// The session could not use a microphone.
  case audioInputFailed = 1
  /// The application chose a camera.
  case videoInputSelected = 2
  /// The session could not use a camera.
  case videoInputFailed = 3
  /// The session started to connect.
  case meetingStartRequested = 4
  /// The session is connected for the first time since its start.
  case meetingStartSucceeded = 5
  /// The session reconnected.
  case meetingReconnected = 6
  /// The session could not start to connect.
  case meetingStartFailed = 7
  /// The session ended because of a failure.
  case meetingFailed = 8
  /// The session ended, by `stop()` or by the server.
  case meetingEnded = 9
  /// Video signaling opened.
  case videoClientSignalingOpened = 10
  /// The session lost video signaling.
  case videoClientSignalingDropped = 11
  /// The content share's signaling opened.
  case contentShareSignalingOpened = 12
  /// The content share lost its signaling.
  case contentShareSignalingDropped = 13
  /// `media` admitted the session. Over ZeroMQ there are no ICE candidates to gather.
  case videoClientIceGatheringCompleted = 14
  /// `media` admitted the content share.
  case contentShareIceGatheringCompleted = 15
  /// The application requested a content share.
  case contentShareStartRequested = 16
  /// The content share started.
  case contentShareStarted = 17
  /// The content share ended without a failure.
  case contentShareStopped = 18
  /// The content share failed.
  case contentShareFailed = 19
  /// The state of the process changed. The session also publishes this event at each start.
  case appStateChanged = 20
  /// The machine is short of memory.
  case appMemoryLow = 21
  /// The application turned noise suppression on.
  case voiceFocusEnabled = 22
  /// The application turned noise suppression off.
  case voiceFocusDisabled = 23
  /// The session could not turn noise suppression on.
  case voiceFocusEnableFailed = 24
  /// The session could not turn noise suppression off.
  case voiceFocusDisableFailed = 25
  /// Recording and playback paused for 1 s or longer, because the system suspended the process or
  /// gave the process no processor time.
  case audioInterruptionBegan = 26
  /// Audio continues after an interruption.
  case audioInterruptionEnded = 27
  /// The running camera delivered no frame for 1 s, or for the time of five frames if this time is
  /// longer.
  case videoInterruptionBegan = 28
  /// The camera captures again.
  case videoInterruptionEnded = 29
  /// The type of the machine's network connection changed.
  case networkConnectionTypeChanged = 30
  /// Any event without a name in this list.
  case unknown = 31
}
