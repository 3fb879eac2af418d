public import Foundation

/// A microphone, loudspeaker or camera.
public final class MediaDevice: NSObject, Sendable {
  /// For people.
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
