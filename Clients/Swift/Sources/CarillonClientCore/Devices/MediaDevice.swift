public import Foundation

/// A microphone, loudspeaker or camera.
public final class MediaDevice: NSObject, Sendable {
  /// The name that users see for the device.
  public let label: String

  /// The kind of the device.
  public let type: MediaDeviceType

  /// The port of the device; `nil` for the loudspeaker and for cameras.
  public let port: MediaDevicePort?

  /// Creates a device without a port.
  public init(label: String, type: MediaDeviceType) {
    self.label = label
    self.type = type
    port = nil
  }

  /// Creates a device of the kind that follows from `port`; without a port, the kind is `other`.
  public init(label: String, port: MediaDevicePort? = nil) {
    self.label = label
    self.port = port
    type = port?.deviceType ?? .other
  }

  /// Returns the cameras of this machine: two virtual cameras.
  public static func listVideoDevices() -> [MediaDevice] {
    [TestPatternCamera.front, TestPatternCamera.back]
  }

  /// Returns the formats of a camera up to 1280×720.
  public static func listSupportedVideoCaptureFormats(
    mediaDevice: MediaDevice
  ) -> [VideoCaptureFormat] {
    listSupportedVideoCaptureFormats(
      mediaDevice: mediaDevice, videoMaxResolution: .videoResolutionHD)
  }

  /// Returns the formats of a camera up to the given size; empty for a device that is not a camera.
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

/// The port of an audio device, as the sound server names it.
public final class MediaDevicePort: NSObject, Sendable {
  /// The unique id of the port.
  public let uid: String

  /// The name that users see for the port.
  public let name: String

  /// The form factor: `bluetooth`, `headset`, `headphone`, `handset`, `internal`, `microphone`,
  /// `speaker`, or another text.
  public let portType: String

  /// Creates a port, as a sound server would name it.
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

/// The kinds of devices.
public enum MediaDeviceType: Int, CaseNamed {
  /// A headset or loudspeaker over Bluetooth.
  case audioBluetooth = 0
  /// A wired headset or wired headphones.
  case audioWiredHeadset = 1
  /// The machine's loudspeaker.
  case audioBuiltInSpeaker = 2
  /// The machine's own microphone, or a handset.
  case audioHandset = 3
  /// The camera that faces the user.
  case videoFrontCamera = 4
  /// The camera that faces away from the user.
  case videoBackCamera = 5
  /// A device of another kind.
  case other = 6
}
