public import Foundation

/// A source that captures frames itself.
public protocol VideoCaptureSource: VideoSource {
  /// Starts the capture.
  func start()

  /// Stops the capture.
  func stop()

  /// Adds an observer. The observer receives all later events, on the main queue.
  func addCaptureSourceObserver(observer: any CaptureSourceObserver)

  /// Removes an observer. Has no effect if the application has not added the observer.
  func removeCaptureSourceObserver(observer: any CaptureSourceObserver)
}

/// A source that captures the picture of a camera.
public protocol CameraCaptureSource: VideoCaptureSource {
  /// The camera in use.
  var device: MediaDevice? { get set }

  /// Whether the camera's torch is on.
  var torchEnabled: Bool { get set }

  /// The capture format.
  var format: VideoCaptureFormat { get set }

  /// Switches between the front camera and the back camera.
  func switchCamera()
}

/// An observer of a capture source. The library makes all calls on the main thread.
public protocol CaptureSourceObserver: AnyObject {
  /// The source has started capturing.
  func captureDidStart()

  /// The source has stopped capturing.
  func captureDidStop()

  /// The source failed. The source has stopped, unless the error is `invalidFrame`.
  func captureDidFail(error: CaptureSourceError)
}

/// The reasons why a source could not capture.
public enum CaptureSourceError: Int, Error, CaseNamed {
  /// The library does not know the cause.
  case unknown = 0
  /// The system denied the capture.
  case systemFailure = 1
  /// The device does not support the requested configuration.
  case configurationFailure = 2
  /// A single frame was unusable; the capture continues.
  case invalidFrame = 3
}

/// The reasons for an interruption of a camera's capture.
public enum VideoInterruptionReason: Int, Error, CaseNamed {
  /// The program runs in the background, where it has no permission to capture.
  case videoDeviceNotAvailableInBackground
  /// Another program uses the camera.
  case videoDeviceInUseByAnotherClient
  /// Several programs are in the foreground, so no program has permission to capture.
  case videoDeviceNotAvailableWithMultipleForegroundApps
  /// The machine is too hot or too busy.
  case videoDeviceNotAvailableDueToSystemPressure
  /// Any other reason.
  case other
}

/// A size and rate at which a camera can capture. Two formats are equal if their widths, heights
/// and rates are equal.
public final class VideoCaptureFormat: NSObject, Sendable {
  /// The width in pixels.
  public let width: Int

  /// The height in pixels.
  public let height: Int

  /// The highest rate, in frames per second.
  public let maxFrameRate: Int

  /// Creates a format from its size in pixels and its rate in frames per second.
  public init(width: Int, height: Int, maxFrameRate: Int) {
    self.width = width
    self.height = height
    self.maxFrameRate = maxFrameRate
  }

  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(width)
    hasher.combine(height)
    hasher.combine(maxFrameRate)
    return hasher.finalize()
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? VideoCaptureFormat else { return false }
    return (width, height, maxFrameRate) == (other.width, other.height, other.maxFrameRate)
  }
}
