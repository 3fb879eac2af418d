public import Foundation

/// A source that takes pictures of its own.
public protocol VideoCaptureSource: VideoSource {
  /// Begins to capture.
  func start()

  /// Ends capturing.
  func stop()

  /// Adds an observer; it hears what happens from now on, on the main queue.
  func addCaptureSourceObserver(observer: any CaptureSourceObserver)

  /// Removes an observer. Nothing happens if it was not added.
  func removeCaptureSourceObserver(observer: any CaptureSourceObserver)
}

/// A camera as a source.
public protocol CameraCaptureSource: VideoCaptureSource {
  /// The camera in use.
  var device: MediaDevice? { get set }

  /// Whether its lamp is on.
  var torchEnabled: Bool { get set }

  /// How it captures.
  var format: VideoCaptureFormat { get set }

  /// Goes from the front camera to the back camera or back.
  func switchCamera()
}

/// Hears how a source fares. All calls come on main.
public protocol CaptureSourceObserver: AnyObject {
  /// The source captures now.
  func captureDidStart()

  /// The source no longer captures.
  func captureDidStop()

  /// The source failed. It has stopped, unless the error is `invalidFrame`.
  func captureDidFail(error: CaptureSourceError)
}

/// Why a source could not capture.
public enum CaptureSourceError: Int, Error, CaseNamed {
  /// The cause is not known.
  case unknown = 0
  /// The system refused.
  case systemFailure = 1
  /// The device does not offer what was asked of it.
  case configurationFailure = 2
  /// A single frame was unusable; capture goes on.
  case invalidFrame = 3
}

/// Why a camera stopped to capture.
public enum VideoInterruptionReason: Int, Error, CaseNamed {
  /// The program runs unseen and may not capture.
  case videoDeviceNotAvailableInBackground
  /// Another program uses the camera.
  case videoDeviceInUseByAnotherClient
  /// Several programs share the screen and none may capture.
  case videoDeviceNotAvailableWithMultipleForegroundApps
  /// The machine is too hot or too busy.
  case videoDeviceNotAvailableDueToSystemPressure
  /// The system gives no reason that has a case.
  case other
}

/// A size and rate at which a camera can capture. Equal when all three figures are.
public final class VideoCaptureFormat: NSObject, Sendable {
  /// The width in pixels.
  public let width: Int

  /// The height in pixels.
  public let height: Int

  /// The highest rate, in frames per second.
  public let maxFrameRate: Int

  /// Makes a format: pixels, and frames per second.
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
