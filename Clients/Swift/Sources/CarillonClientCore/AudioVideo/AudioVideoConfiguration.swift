public import Foundation

/// How a session is started.
public final class AudioVideoConfiguration: NSObject, Sendable {
  /// Stereo at 48 kHz.
  public static let defaultAudioMode: AudioMode = .stereo48K

  /// The session records and plays.
  public static let defaultAudioDeviceCapabilities: AudioDeviceCapabilities = .inputAndOutput

  /// False; Linux has no call interface of the system.
  public static let defaultCallKitEnabled = false

  /// True: audio is protected against packet loss.
  public static let defaultEnableAudioRedundancy = true

  /// 1280 × 720.
  public static let defaultVideoMaxResolution: VideoResolution = .videoResolutionHD

  /// Three minutes, in milliseconds.
  public static let defaultReconnectTimeoutMs = 180_000

  /// How audio is coded.
  public let audioMode: AudioMode

  /// Which audio devices are opened.
  public let audioDeviceCapabilities: AudioDeviceCapabilities

  /// Whether calls show in the system's call interface; it has no effect on Linux.
  public let callKitEnabled: Bool

  /// Whether audio is sent redundantly against packet loss.
  public let enableAudioRedundancy: Bool

  /// The largest picture. Nobody reads it: the meeting's `MeetingFeatures.videoMaxResolution`
  /// counts.
  public let videoMaxResolution: VideoResolution

  /// How long a lost connection is tried again before the session ends, in milliseconds from
  /// `audioSessionDidDrop` on. The first connection is tried as long, but no less than a second and
  /// no more than fifteen.
  public let reconnectTimeoutMs: Int

  public convenience override init() {
    self.init(audioMode: Self.defaultAudioMode)
  }

  /// Names how audio is coded; everything else has its default.
  public convenience init(audioMode: AudioMode) {
    self.init(audioMode: audioMode, callKitEnabled: Self.defaultCallKitEnabled)
  }

  /// Names the audio devices; everything else has its default.
  public convenience init(audioDeviceCapabilities: AudioDeviceCapabilities) {
    self.init(
      audioMode: Self.defaultAudioMode, audioDeviceCapabilities: audioDeviceCapabilities,
      callKitEnabled: Self.defaultCallKitEnabled,
      enableAudioRedundancy: Self.defaultEnableAudioRedundancy,
      videoMaxResolution: Self.defaultVideoMaxResolution)
  }

  /// Has defaults for everything that matters on Linux.
  public convenience init(callKitEnabled: Bool) {
    self.init(audioMode: Self.defaultAudioMode, callKitEnabled: callKitEnabled)
  }

  /// Names whether audio is protected against packet loss; everything else has its default.
  public convenience init(enableAudioRedundancy: Bool) {
    self.init(
      audioMode: Self.defaultAudioMode, callKitEnabled: Self.defaultCallKitEnabled,
      enableAudioRedundancy: enableAudioRedundancy)
  }

  /// Names a resolution, which is not read; everything else has its default.
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

  /// Names these two; everything else has its default.
  public convenience init(audioMode: AudioMode, callKitEnabled: Bool) {
    self.init(
      audioMode: audioMode, callKitEnabled: callKitEnabled,
      enableAudioRedundancy: Self.defaultEnableAudioRedundancy)
  }

  /// Names these three; everything else has its default.
  public convenience init(
    audioMode: AudioMode, callKitEnabled: Bool, enableAudioRedundancy: Bool
  ) {
    self.init(
      audioMode: audioMode, callKitEnabled: callKitEnabled,
      enableAudioRedundancy: enableAudioRedundancy,
      videoMaxResolution: Self.defaultVideoMaxResolution)
  }

  /// Names these four; everything else has its default.
  public convenience init(
    audioMode: AudioMode, callKitEnabled: Bool, enableAudioRedundancy: Bool,
    videoMaxResolution: VideoResolution
  ) {
    self.init(
      audioMode: audioMode, audioDeviceCapabilities: Self.defaultAudioDeviceCapabilities,
      callKitEnabled: callKitEnabled, enableAudioRedundancy: enableAudioRedundancy,
      videoMaxResolution: videoMaxResolution)
  }

  /// Names everything but how long a lost connection is tried again.
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

/// How audio is coded. Raw value 4 is obsolete and gives no case.
public enum AudioMode: Int, CaseIterable, CaseNamed {
  /// One channel at 16 kHz, for narrow links.
  case mono16K = 1
  /// One channel at 48 kHz.
  case mono48K = 2
  /// Stereo to the loudspeaker; the microphone stays mono.
  case stereo48K = 3
}

/// Which audio devices a session opens.
public enum AudioDeviceCapabilities: Int, CaseNamed {
  /// The session neither records nor plays.
  case none = 0
  /// The session plays and does not record.
  case outputOnly = 1
  /// The only one that needs permission to record.
  case inputAndOutput = 2
}
