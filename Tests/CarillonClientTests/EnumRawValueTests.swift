import MeetingModel
import Testing

@testable import CarillonClientCore

/// Tests of the raw values of public enums. Applications may have stored or sent these numbers.
struct EnumRawValueTests {
  /// Checks that the enum has exactly these cases, written `name=number`.
  private func expect<Case: RawRepresentable>(
    _ type: Case.Type, _ cases: String, sourceLocation: SourceLocation = #_sourceLocation
  ) where Case.RawValue: FixedWidthInteger {
    let found = (-2...300).compactMap { number in
      Case.RawValue(exactly: number).flatMap(Case.init(rawValue:)).map { value in
        // Another test checks the texts of these enums, so this test uses the names of their cases.
        let name = value is any CaseNamed ? "\(value)" : Self.caseName(value)
        return "\(name)=\(number)"
      }
    }
    #expect(
      found == cases.split(whereSeparator: \.isWhitespace).map(String.init),
      sourceLocation: sourceLocation)
  }

  private static func caseName<Case>(_ value: Case) -> String {
    let names: [String: String] = [
      "rotation_0": "rotation0", "rotation_90": "rotation90", "rotation_180": "rotation180",
      "rotation_270": "rotation270", "Ethernet": "wiredEthernet",
    ]
    let text = "\(value)"
    return names[text] ?? text.prefix(1).lowercased() + text.dropFirst()
  }

  @Test func `levels and states have their fixed raw values`() {
    expect(CarillonClientCore.VolumeLevel.self, "muted=-1 notSpeaking=0 low=1 medium=2 high=3")
    expect(CarillonClientCore.SignalStrength.self, "none=0 low=1 high=2")
    expect(AttendeeStatus.self, "joined=1 left=2 dropped=3")
    expect(VideoPauseState.self, "unpaused=0 pausedByUserRequest=1 pausedForPoorConnection=2")
    expect(CarillonClientCore.VideoPriority.self, "lowest=0 low=10 medium=20 high=30 highest=40")
    expect(CarillonClientCore.VideoContentHint.self, "none=0 motion=1 detail=2 text=3")
    expect(VideoRotation.self, "rotation0=0 rotation90=90 rotation180=180 rotation270=270")
    expect(CarillonClientCore.AudioMode.self, "mono16K=1 mono48K=2 stereo48K=3")
    expect(AudioDeviceCapabilities.self, "none=0 outputOnly=1 inputAndOutput=2")
    expect(
      MediaDeviceType.self,
      """
      audioBluetooth=0 audioWiredHeadset=1 audioBuiltInSpeaker=2 audioHandset=3
      videoFrontCamera=4 videoBackCamera=5 other=6
      """)
    expect(ContentShareStatusCode.self, "ok=0 videoServiceFailed=1")
    expect(ModalityType.self, "content=0")
    expect(
      CarillonClientCore.TranscriptionStatusType.self,
      """
      unknown=0 started=1 interrupted=2 resumed=3 stopped=4 failed=5
      """)
    expect(TranscriptItemType.self, "unknown=0 pronunciation=1 punctuation=2")
    expect(BackgroundFilter.self, "none=0 blur=1 replacement=2")
    expect(BackgroundBlurStrength.self, "low=10 medium=15 high=25")
    expect(LogLevel.self, "DEFAULT=0 DEBUG=1 INFO=2 FAULT=3 ERROR=4 OFF=5")
    expect(EventClientType.self, "meet=0 chat=1")
    expect(AppState.self, "active=0 inactive=1 foreground=2 background=3 terminated=4 other=5")
    expect(BatteryState.self, "charging=0 discharging=1 full=2 unknown=3")
    expect(
      NetworkConnectionType.self,
      """
      wifi=0 cellular=1 wiredEthernet=2 other=3 none=4 unknown=5
      """)
  }

  @Test func `transmitted enums have the raw values of the corresponding enums in the model`() {
    func expect<Case: RawRepresentable, Twin: RawRepresentable & CaseIterable>(
      _ type: Case.Type, _ twin: Twin.Type, but others: [Int] = [],
      sourceLocation: SourceLocation = #_sourceLocation
    ) where Case.RawValue == Int, Twin.RawValue == Int32 {
      let numbers = (-2...300).filter { Case(rawValue: $0) != nil && !others.contains($0) }
      #expect(numbers == twin.allCases.map { Int($0.rawValue) }, sourceLocation: sourceLocation)
    }
    expect(CarillonClientCore.VolumeLevel.self, MeetingModel.VolumeLevel.self)
    expect(CarillonClientCore.SignalStrength.self, MeetingModel.SignalStrength.self)
    expect(VideoPauseState.self, MeetingModel.TilePauseState.self)
    expect(CarillonClientCore.VideoPriority.self, MeetingModel.VideoPriority.self)
    expect(CarillonClientCore.VideoContentHint.self, MeetingModel.VideoContentHint.self)
    expect(CarillonClientCore.AudioMode.self, MeetingModel.AudioMode.self)
    expect(
      CarillonClientCore.TranscriptionStatusType.self, MeetingModel.TranscriptionStatusType.self,
      but: [0])
  }

  @Test func `errors have their fixed raw values`() {
    expect(PermissionError.self, "audioPermissionError=0 videoPermissionError=1")
    expect(
      MediaError.self,
      """
      illegalState=0 audioFailedToStart=1 noCameraSelected=2 noAudioDevices=3
      overrideOutputAudioPortFailed=4 setPreferredAudioInputFailed=5
      """)
    expect(
      SendDataMessageError.self,
      """
      invalidDataLength=0 invalidTopic=1 negativeLifetimeParameter=2 invalidData=3
      """)
    expect(
      CaptureSourceError.self,
      """
      unknown=0 systemFailure=1 configurationFailure=2 invalidFrame=3
      """)
    expect(ResourceError.self, "notFound=0")
    expect(
      VideoClientFailedError.self,
      """
      authenticationFailed=0 peerConnectionCreateFailed=1 maxRetryPeriodExceeded=2 other=3
      """)
    expect(
      VoiceFocusError.self,
      """
      audioClientNotStarted=0 audioClientError=1 setParamFailed=2 notInitialized=3 other=4
      """)
    expect(
      SignalingDroppedError.self,
      """
      none=0 signalingClientDisconnected=1 signalingClientClosed=2 signalingClientEOF=3
      signalingClientError=4 signalingClientProxyError=5 signalingClientOpenFailed=6
      signalFrameParseFailed=7 signalFrameSerializeFailed=8 signalFrameSendingFailed=9
      internalServerError=10 other=11
      """)
    expect(
      VideoInterruptionReason.self,
      """
      videoDeviceNotAvailableInBackground=0 videoDeviceInUseByAnotherClient=1
      videoDeviceNotAvailableWithMultipleForegroundApps=2
      videoDeviceNotAvailableDueToSystemPressure=3 other=4
      """)
  }

  @Test func `statuses, metrics and events have their fixed raw values`() {
    expect(
      MeetingSessionStatusCode.self,
      """
      ok=0 audioDisconnected=9 connectionHealthReconnect=10 videoServiceUnavailable=12
      networkBecomePoor=59 audioServerHungup=60 audioJoinedFromAnotherDevice=61
      audioInternalServerError=62 audioAuthenticationRejected=63 audioCallAtCapacity=64
      audioServiceUnavailable=65 audioDisconnectAudio=69 audioCallEnded=75 unknown=78
      audioInputDeviceNotResponding=82 audioOutputDeviceNotResponding=83
      videoAtCapacityViewOnly=206
      """)
    expect(
      ObservableMetric.self,
      """
      audioReceivePacketLossPercent=0 audioSendPacketLossPercent=1
      videoAvailableSendBandwidth=2 videoAvailableReceiveBandwidth=3 videoSendBitrate=4
      videoSendPacketLossPercent=5 videoSendFps=6 videoSendRttMs=7 videoReceiveBitrate=8
      videoReceivePacketLossPercent=9 contentShareVideoSendBitrate=10
      contentShareVideoSendPacketLossPercent=11 contentShareVideoSendFps=12
      contentShareVideoSendRttMs=13 audioReceiveConcealedPackets=14
      """)
    expect(
      EventName.self,
      """
      audioInputSelected=0 audioInputFailed=1 videoInputSelected=2 videoInputFailed=3
      meetingStartRequested=4 meetingStartSucceeded=5 meetingReconnected=6
      meetingStartFailed=7 meetingFailed=8 meetingEnded=9 videoClientSignalingOpened=10
      videoClientSignalingDropped=11 contentShareSignalingOpened=12
      contentShareSignalingDropped=13 videoClientIceGatheringCompleted=14
      contentShareIceGatheringCompleted=15 contentShareStartRequested=16
      contentShareStarted=17 contentShareStopped=18 contentShareFailed=19 appStateChanged=20
      appMemoryLow=21 voiceFocusEnabled=22 voiceFocusDisabled=23 voiceFocusEnableFailed=24
      voiceFocusDisableFailed=25 audioInterruptionBegan=26 audioInterruptionEnded=27
      videoInterruptionBegan=28 videoInterruptionEnded=29 networkConnectionTypeChanged=30
      unknown=31
      """)
    expect(
      MeetingHistoryEventName.self,
      """
      audioInputSelected=0 audioInputFailed=1 videoInputSelected=2 videoInputFailed=3
      meetingStartFailed=4 meetingStartRequested=5 meetingStartSucceeded=6 meetingEnded=7
      meetingFailed=8 meetingReconnected=9 videoClientSignalingOpened=10
      videoClientSignalingDropped=11 contentShareSignalingOpened=12
      contentShareSignalingDropped=13 videoClientIceGatheringCompleted=14
      contentShareIceGatheringCompleted=15 contentShareStartRequested=16
      contentShareStarted=17 contentShareStopped=18 contentShareFailed=19 appStateChanged=20
      appMemoryLow=21 voiceFocusEnabled=22 voiceFocusDisabled=23 voiceFocusEnableFailed=24
      voiceFocusDisableFailed=25 audioInterruptionBegan=26 audioInterruptionEnded=27
      videoInterruptionBegan=28 videoInterruptionEnded=29 networkConnectionTypeChanged=30
      unknown=31
      """)
    expect(
      EventAttributeName.self,
      """
      deviceName=0 deviceManufacturer=1 deviceModel=2 osName=3 osVersion=4 sdkName=5
      sdkVersion=6 mediaSdkVersion=7 timestampMs=8 attendeeId=9 externalMeetingId=10
      externalUserId=11 meetingId=12 meetingHistory=13 maxVideoTileCount=14
      meetingStartDurationMs=15 meetingReconnectDurationMs=16 meetingDurationMs=17
      meetingErrorMessage=18 meetingStatus=19 poorConnectionCount=20 retryCount=21
      videoInputError=22 audioInputError=23 signalingDroppedError=24 contentShareError=25
      appState=26 batteryLevel=27 batteryState=28 voiceFocusError=29 audioDeviceType=30
      videoDeviceType=31 lowPowerModeEnabled=32 videoInterruptionReason=33
      iceGatheringDurationMs=34 signalingOpenDurationMs=35 networkConnectionType=36
      """)
  }

  @Test func `some descriptions differ from the names of the enum cases`() {
    #expect(VideoRotation.rotation90.description == "rotation_90")
    #expect(EventClientType.chat.description == "Chat")
    #expect(AppState.foreground.description == "Foreground")
    #expect(BatteryState.full.description == "Full")
    #expect(NetworkConnectionType.wiredEthernet.description == "Ethernet")
    #expect(MeetingSessionStatusCode.audioServerHungup.description == "audioServerHungup")
    #expect(CaptureSourceError.systemFailure.description == "systemFailure")
  }

  @Test func `the interpolated text of an enum equals the description of the enum`() {
    #expect(
      "\(AppState.foreground) \(BatteryState.full) \(NetworkConnectionType.wiredEthernet)"
        == "Foreground Full Ethernet")
    #expect("\(VideoRotation.rotation90) \(EventClientType.chat)" == "rotation_90 Chat")
    #expect("\(MeetingSessionStatusCode.audioServerHungup)" == "audioServerHungup")
    let statuses: [any CustomStringConvertible] = [
      MeetingSessionStatusCode.ok, ContentShareStatusCode.videoServiceFailed,
      MediaError.illegalState,
      EventName.meetingEnded, CarillonClientCore.SignalStrength.none,
    ]
    #expect(
      statuses.map(\.description) == [
        "ok", "videoServiceFailed", "illegalState", "meetingEnded", "none",
      ])
  }

  @Test func `metrics of the content share are recognized by their name`() {
    let metrics = (0...14).compactMap(ObservableMetric.init(rawValue:))
    #expect(metrics.filter(\.isContentShareMetric).map(\.rawValue) == [10, 11, 12, 13])
  }

  @Test func `the raw value of an obsolete audio mode is refused`() {
    #expect(CarillonClientCore.AudioMode(rawValue: 4) == nil)
    #expect(CarillonClientCore.AudioMode.allCases == [.mono16K, .mono48K, .stereo48K])
  }
}
