public import Foundation

/// How a session is started.
public final class AudioVideoConfiguration: NSObject, Sendable {
  public static let defaultAudioMode: AudioMode = .stereo48K
  public static let defaultAudioDeviceCapabilities: AudioDeviceCapabilities = .inputAndOutput
  public static let defaultCallKitEnabled = false
  public static let defaultEnableAudioRedundancy = true
  public static let defaultVideoMaxResolution: VideoResolution = .videoResolutionHD
  public static let defaultReconnectTimeoutMs = 180_000

  /// How audio is coded.
  public let audioMode: AudioMode

  /// Which audio devices are opened.
  public let audioDeviceCapabilities: AudioDeviceCapabilities

  /// Without effect on Linux.
  public let callKitEnabled: Bool

  /// Whether audio is sent redundantly against packet loss.
  public let enableAudioRedundancy: Bool

  /// Not read: the meeting's `MeetingFeatures.videoMaxResolution` is the limit.
  public let videoMaxResolution: VideoResolution

  /// How long a lost connection is tried again before the session ends, in milliseconds.
  public let reconnectTimeoutMs: Int

  public convenience override init() {
    self.init(audioMode: Self.defaultAudioMode)
  }

  public convenience init(audioMode: AudioMode) {
    self.init(audioMode: audioMode, callKitEnabled: Self.defaultCallKitEnabled)
  }

  public convenience init(audioDeviceCapabilities: AudioDeviceCapabilities) {
    self.init(
      audioMode: Self.defaultAudioMode, audioDeviceCapabilities: audioDeviceCapabilities,
      callKitEnabled: Self.defaultCallKitEnabled,
      enableAudioRedundancy: Self.defaultEnableAudioRedundancy,
      videoMaxResolution: Self.defaultVideoMaxResolution)
  }

  public convenience init(callKitEnabled: Bool) {
    self.init(audioMode: Self.defaultAudioMode, callKitEnabled: callKitEnabled)
  }

  public convenience init(enableAudioRedundancy: Bool) {
    self.init(
      audioMode: Self.defaultAudioMode, callKitEnabled: Self.defaultCallKitEnabled,
      enableAudioRedundancy: enableAudioRedundancy)
  }

  public convenience init(videoMaxResolution: VideoResolution) {
    self.init(
      audioMode: Self.defaultAudioMode, callKitEnabled: Self.defaultCallKitEnabled,
      enableAudioRedundancy: Self.defaultEnableAudioRedundancy,
      videoMaxResolution: videoMaxResolution)
  }

  /// - Parameter reconnectTimeoutMs: In milliseconds.
  public convenience init(reconnectTimeoutMs: Int) {
    self.init(
      audioMode: Self.defaultAudioMode,
      audioDeviceCapabilities: Self.defaultAudioDeviceCapabilities,
      callKitEnabled: Self.defaultCallKitEnabled,
      enableAudioRedundancy: Self.defaultEnableAudioRedundancy,
      videoMaxResolution: Self.defaultVideoMaxResolution, reconnectTimeoutMs: reconnectTimeoutMs)
  }

  public convenience init(audioMode: AudioMode, callKitEnabled: Bool) {
    self.init(
      audioMode: audioMode, callKitEnabled: callKitEnabled,
      enableAudioRedundancy: Self.defaultEnableAudioRedundancy)
  }

  public convenience init(
    audioMode: AudioMode, callKitEnabled: Bool, enableAudioRedundancy: Bool
  ) {
    self.init(
      audioMode: audioMode, callKitEnabled: callKitEnabled,
      enableAudioRedundancy: enableAudioRedundancy,
      videoMaxResolution: Self.defaultVideoMaxResolution)
  }

  public convenience init(
    audioMode: AudioMode, callKitEnabled: Bool, enableAudioRedundancy: Bool,
    videoMaxResolution: VideoResolution
  ) {
    self.init(
      audioMode: audioMode, audioDeviceCapabilities: Self.defaultAudioDeviceCapabilities,
      callKitEnabled: callKitEnabled, enableAudioRedundancy: enableAudioRedundancy,
      videoMaxResolution: videoMaxResolution)
  }

  public convenience init(
    audioMode: AudioMode, audioDeviceCapabilities: AudioDeviceCapabilities, callKitEnabled: Bool,
    enableAudioRedundancy: Bool, videoMaxResolution: VideoResolution
  ) {
    self.init(
      audioMode: audioMode, audioDeviceCapabilities: audioDeviceCapabilities,
      callKitEnabled: callKitEnabled, enableAudioRedundancy: enableAudioRedundancy,
      videoMaxResolution: videoMaxResolution, reconnectTimeoutMs: Self.defaultReconnectTimeoutMs)
  }

  /// The full form.
  ///
  /// - Parameter reconnectTimeoutMs: In milliseconds.
  public init(
    audioMode: AudioMode, audioDeviceCapabilities: AudioDeviceCapabilities, callKitEnabled: Bool,
    enableAudioRedundancy: Bool, videoMaxResolution: VideoResolution, reconnectTimeoutMs: Int
  ) {
    self.audioMode = audioMode
    self.audioDeviceCapabilities = audioDeviceCapabilities
    self.callKitEnabled = callKitEnabled
    self.enableAudioRedundancy = enableAudioRedundancy
    self.videoMaxResolution = videoMaxResolution
    self.reconnectTimeoutMs = reconnectTimeoutMs
  }

  public override var description: String {
    [
      "audioMode: \(audioMode.description)",
      "audioDeviceCapabilities: \(audioDeviceCapabilities.description)",
      "callKitEnabled: \(callKitEnabled)",
      "enableAudioRedundancy: \(enableAudioRedundancy)",
      "videoMaxResolution: \(videoMaxResolution.description)",
      "reconnectTimeoutMs: \(reconnectTimeoutMs)",
    ].joined(separator: ", ")
  }
}
