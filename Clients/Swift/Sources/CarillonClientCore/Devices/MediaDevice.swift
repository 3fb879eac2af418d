public import Foundation

/// A microphone, loudspeaker or camera.
public final class MediaDevice: NSObject, Sendable {
  /// The name that people read.
  public let label: String

  /// What kind of device it is.
  public let type: MediaDeviceType

  /// Where it is attached; nil for the loudspeaker and for cameras.
  public let port: MediaDevicePort?

  /// A device without a port.
  public init(label: String, type: MediaDeviceType) {
    self.label = label
    self.type = type
    port = nil
  }

  /// A device whose kind follows from its port; `other` without one.
  public init(label: String, port: MediaDevicePort? = nil) {
    self.label = label
    self.port = port
    type = port?.deviceType ?? .other
  }

  /// The cameras of this machine: two virtual ones.
  public static func listVideoDevices() -> [MediaDevice] {
    [TestPatternCamera.front, TestPatternCamera.back]
  }

  /// What a camera can capture, up to 1280×720.
  public static func listSupportedVideoCaptureFormats(
    mediaDevice: MediaDevice
  ) -> [VideoCaptureFormat] {
    listSupportedVideoCaptureFormats(
      mediaDevice: mediaDevice, videoMaxResolution: .videoResolutionHD)
  }

  /// What a camera can capture up to this size; nothing of what is no front or back camera.
  public static func listSupportedVideoCaptureFormats(
    mediaDevice: MediaDevice, videoMaxResolution: VideoResolution
  ) -> [VideoCaptureFormat] {
    guard mediaDevice.type == .videoFrontCamera || mediaDevice.type == .videoBackCamera else {
      return []
    }
    return TestPatternCamera.formats.filter {
      $0.width <= videoMaxResolution.width && $0.height <= videoMaxResolution.height
    }
  }

  public override var description: String { "\(label) - \(type.description)" }
}

/// Where an audio device is attached, as the sound server names it.
public final class MediaDevicePort: NSObject, Sendable {
  /// Tells the port from the others.
  public let uid: String

  /// The name that people read.
  public let name: String

  /// The form factor: `bluetooth`, `headset`, `headphone`, `handset`, `internal`, `microphone`,
  /// `speaker`, or another text.
  public let portType: String

  /// Makes a port, as a sound server would name it.
  public init(uid: String, name: String, portType: String) {
    self.uid = uid
    self.name = name
    self.portType = portType
  }

  var deviceType: MediaDeviceType {
    switch portType {
    case "bluetooth": .audioBluetooth
    case "headset", "headphone": .audioWiredHeadset
    case "handset", "internal", "microphone": .audioHandset
    case "speaker": .audioBuiltInSpeaker
    default: .other
    }
  }
}

/// What kind of device it is.
public enum MediaDeviceType: Int, CaseNamed {
  /// A headset or loudspeaker over Bluetooth.
  case audioBluetooth = 0
  /// A headset or headphones at a cable.
  case audioWiredHeadset = 1
  /// The machine's loudspeaker.
  case audioBuiltInSpeaker = 2
  /// The machine's own microphone, or a handset.
  case audioHandset = 3
  /// The camera that looks at its user.
  case videoFrontCamera = 4
  /// The camera that looks away from its user.
  case videoBackCamera = 5
  /// A device of some other kind.
  case other = 6
}
