public import Foundation

/// The configuration with which a session starts.
public final class AudioVideoConfiguration: NSObject, Sendable {
  /// The default audio mode: stereo at 48 kHz.
  public static let defaultAudioMode: AudioMode = .stereo48K

  /// The default of ``audioDeviceCapabilities``: the session records and plays.
  public static let defaultAudioDeviceCapabilities: AudioDeviceCapabilities = .inputAndOutput

  /// The default of ``callKitEnabled``: false, because Linux has no CallKit.
  public static let defaultCallKitEnabled = false

  /// The default of ``enableAudioRedundancy``: true, so the session sends audio with redundancy
  /// against packet loss.
  public static let defaultEnableAudioRedundancy = true

  /// The default of ``videoMaxResolution``: 1280 × 720.
  public static let defaultVideoMaxResolution: VideoResolution = .videoResolutionHD

  /// The default of ``reconnectTimeoutMs``: three minutes.
  public static let defaultReconnectTimeoutMs = 180_000

  /// The channels and sample rate of audio.
  public let audioMode: AudioMode

  /// The audio devices that the session opens.
  public let audioDeviceCapabilities: AudioDeviceCapabilities

  /// Whether calls appear in CallKit. This setting has no effect on Linux.
  public let callKitEnabled: Bool

  /// Whether a packet of speech also contains a copy of the previous packet, in lower quality, in
  /// case the network loses the previous packet.
  public let enableAudioRedundancy: Bool

  /// The largest video resolution.
  ///
  /// This setting has no effect: `MeetingFeatures.videoMaxResolution` of the meeting applies.
  public let videoMaxResolution: VideoResolution

  /// The time in which the client may restore a lost connection, in milliseconds from
  /// `audioSessionDidDrop`. After this time, the session ends.
  ///
  /// This value also limits the time for the first connection, but that limit is at least 1 s and
  /// at most 15 s.
  public let reconnectTimeoutMs: Int

  public convenience override init() {
    self.init(audioMode: Self.defaultAudioMode)
  }

  /// Creates a configuration with an audio mode, and defaults for all other settings.
  public convenience init(audioMode: AudioMode) {
    self.init(audioMode: audioMode, callKitEnabled: Self.defaultCallKitEnabled)
  }

  /// Creates a configuration with audio device capabilities, and defaults for all other settings.
  public convenience init(audioDeviceCapabilities: AudioDeviceCapabilities) {
    self.init(
      audioMode: Self.defaultAudioMode, audioDeviceCapabilities: audioDeviceCapabilities,
      callKitEnabled: Self.defaultCallKitEnabled,
      enableAudioRedundancy: Self.defaultEnableAudioRedundancy,
      videoMaxResolution: Self.defaultVideoMaxResolution)
  }

  /// Creates a configuration with defaults for all settings that have an effect on Linux.
  public convenience init(callKitEnabled: Bool) {
    self.init(audioMode: Self.defaultAudioMode, callKitEnabled: callKitEnabled)
  }

  /// Creates a configuration with a redundancy setting, and defaults for all other settings.
  public convenience init(enableAudioRedundancy: Bool) {
    self.init(
      audioMode: Self.defaultAudioMode, callKitEnabled: Self.defaultCallKitEnabled,
      enableAudioRedundancy: enableAudioRedundancy)
  }

  /// Creates a configuration with a resolution, and defaults for all other settings. The resolution
  /// has no effect.
  public convenience init(videoMaxResolution: VideoResolution) {
    self.init(
      audioMode: Self.defaultAudioMode, callKitEnabled: Self.defaultCallKitEnabled,
      enableAudioRedundancy: Self.defaultEnableAudioRedundancy,
      videoMaxResolution: videoMaxResolution)
  }

  /// Creates a configuration with a reconnect timeout, and defaults for all other settings.
  ///
  /// - Parameter reconnectTimeoutMs: The reconnect timeout, in milliseconds.
  public convenience init(reconnectTimeoutMs: Int) {
    self.init(
      audioMode: Self.defaultAudioMode,
      audioDeviceCapabilities: Self.defaultAudioDeviceCapabilities,
      callKitEnabled: Self.defaultCallKitEnabled,
      enableAudioRedundancy: Self.defaultEnableAudioRedundancy,
      videoMaxResolution: Self.defaultVideoMaxResolution, reconnectTimeoutMs: reconnectTimeoutMs)
  }

  /// Creates a configuration with the two given settings, and defaults for all other settings.
  public convenience init(audioMode: AudioMode, callKitEnabled: Bool) {
    self.init(
      audioMode: audioMode, callKitEnabled: callKitEnabled,
      enableAudioRedundancy: Self.defaultEnableAudioRedundancy)
  }

  /// Creates a configuration with the three given settings, and defaults for all other settings.
  public convenience init(
    audioMode: AudioMode, callKitEnabled: Bool, enableAudioRedundancy: Bool
  ) {
    self.init(
      audioMode: audioMode, callKitEnabled: callKitEnabled,
      enableAudioRedundancy: enableAudioRedundancy,
      videoMaxResolution: Self.defaultVideoMaxResolution)
  }

  /// Creates a configuration with the four given settings, and defaults for all other settings.
  public convenience init(
    audioMode: AudioMode, callKitEnabled: Bool, enableAudioRedundancy: Bool,
    videoMaxResolution: VideoResolution
  ) {
    self.init(
      audioMode: audioMode, audioDeviceCapabilities: Self.defaultAudioDeviceCapabilities,
      callKitEnabled: callKitEnabled, enableAudioRedundancy: enableAudioRedundancy,
      videoMaxResolution: videoMaxResolution)
  }

  /// Creates a configuration with the given settings, and with the default reconnect timeout.
  public convenience init(
    audioMode: AudioMode, audioDeviceCapabilities: AudioDeviceCapabilities, callKitEnabled: Bool,
    enableAudioRedundancy: Bool, videoMaxResolution: VideoResolution
  ) {
    self.init(
      audioMode: audioMode, audioDeviceCapabilities: audioDeviceCapabilities,
      callKitEnabled: callKitEnabled, enableAudioRedundancy: enableAudioRedundancy,
      videoMaxResolution: videoMaxResolution, reconnectTimeoutMs: Self.defaultReconnectTimeoutMs)
  }

  /// Creates a configuration with all settings.
  ///
  /// - Parameter reconnectTimeoutMs: The reconnect timeout, in milliseconds.
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

/// The channels and sample rate of audio. Raw value 4 is obsolete and has no case.
public enum AudioMode: Int, CaseIterable, CaseNamed {
  /// One channel at 16 kHz, for narrow links.
  case mono16K = 1
  /// One channel at 48 kHz.
  case mono48K = 2
  /// Stereo to the loudspeaker. The microphone remains mono.
  case stereo48K = 3
}

/// The audio devices that a session opens.
public enum AudioDeviceCapabilities: Int, CaseNamed {
  /// The session neither records nor plays.
  case none = 0
  /// The session plays and does not record.
  case outputOnly = 1
  /// The session records and plays. Only this case needs the permission to record.
  case inputAndOutput = 2
}
