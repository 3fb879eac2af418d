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

  /// The cameras of this machine. Not available yet: there are none.
  public static func listVideoDevices() -> [MediaDevice] {
    reportMissing("MediaDevice.listVideoDevices")
    return []
  }

  /// What a camera can capture, up to 1280×720. Not available yet: nothing.
  public static func listSupportedVideoCaptureFormats(
    mediaDevice: MediaDevice
  ) -> [VideoCaptureFormat] {
    listSupportedVideoCaptureFormats(
      mediaDevice: mediaDevice, videoMaxResolution: .videoResolutionHD)
  }

  /// What a camera can capture up to this size. Not available yet: nothing.
  public static func listSupportedVideoCaptureFormats(
    mediaDevice: MediaDevice, videoMaxResolution: VideoResolution
  ) -> [VideoCaptureFormat] {
    reportMissing("MediaDevice.listSupportedVideoCaptureFormats")
    return []
  }

  public override var description: String { "\(label) - \(type.description)" }

  /// There is no session, and so no logger of the application, to report to.
  private static func reportMissing(_ call: String) {
    SessionLog(logger: ConsoleLogger(name: "CarillonClient")).notAvailableYet(call)
  }
}
