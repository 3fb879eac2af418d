/// The name of an event in the history; the names of `EventName`, numbered differently.
public enum MeetingHistoryEventName: Int, CaseNamed {
  case audioInputSelected = 0
  case audioInputFailed = 1
  case videoInputSelected = 2
  case videoInputFailed = 3
  case meetingStartFailed = 4
  case meetingStartRequested = 5
  case meetingStartSucceeded = 6
  case meetingEnded = 7
  case meetingFailed = 8
  case meetingReconnected = 9
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

extension MeetingHistoryEventName {
  init(_ name: EventName) {
    switch name {
    case .audioInputSelected: self = .audioInputSelected
    case .audioInputFailed: self = .audioInputFailed
    case .videoInputSelected: self = .videoInputSelected
    case .videoInputFailed: self = .videoInputFailed
    case .meetingStartRequested: self = .meetingStartRequested
    case .meetingStartSucceeded: self = .meetingStartSucceeded
    case .meetingReconnected: self = .meetingReconnected
    case .meetingStartFailed: self = .meetingStartFailed
    case .meetingFailed: self = .meetingFailed
    case .meetingEnded: self = .meetingEnded
    case .videoClientSignalingOpened: self = .videoClientSignalingOpened
    case .videoClientSignalingDropped: self = .videoClientSignalingDropped
    case .contentShareSignalingOpened: self = .contentShareSignalingOpened
    case .contentShareSignalingDropped: self = .contentShareSignalingDropped
    case .videoClientIceGatheringCompleted: self = .videoClientIceGatheringCompleted
    case .contentShareIceGatheringCompleted: self = .contentShareIceGatheringCompleted
    case .contentShareStartRequested: self = .contentShareStartRequested
    case .contentShareStarted: self = .contentShareStarted
    case .contentShareStopped: self = .contentShareStopped
    case .contentShareFailed: self = .contentShareFailed
    case .appStateChanged: self = .appStateChanged
    case .appMemoryLow: self = .appMemoryLow
    case .voiceFocusEnabled: self = .voiceFocusEnabled
    case .voiceFocusDisabled: self = .voiceFocusDisabled
    case .voiceFocusEnableFailed: self = .voiceFocusEnableFailed
    case .voiceFocusDisableFailed: self = .voiceFocusDisableFailed
    case .audioInterruptionBegan: self = .audioInterruptionBegan
    case .audioInterruptionEnded: self = .audioInterruptionEnded
    case .videoInterruptionBegan: self = .videoInterruptionBegan
    case .videoInterruptionEnded: self = .videoInterruptionEnded
    case .networkConnectionTypeChanged: self = .networkConnectionTypeChanged
    case .unknown: self = .unknown
    }
  }
}
