/// A driver of a camera of the machine. Used by one source at a time.
///
/// V4L2 will provide cameras; test patterns replace it for now.
package protocol CameraDriver: AnyObject, Sendable {
  var device: MediaDevice { get }

  /// The formats that the camera can capture; never empty.
  var formats: [VideoCaptureFormat] { get }

  /// Starts the capture. The driver delivers frames on its own queue until ``stop()``.
  ///
  /// - Throws: `CaptureSourceError` if the camera cannot capture.
  func start(
    _ format: VideoCaptureFormat, deliver: @escaping @Sendable (VideoFrame) -> Void
  ) throws(CaptureSourceError)

  func stop()
}

extension CameraDriver {
  /// Returns the format that is nearest to this one in size, and then in rate.
  func format(nearest wanted: VideoCaptureFormat) -> VideoCaptureFormat {
    func distance(_ format: VideoCaptureFormat) -> (Int, Int) {
      (
        abs(format.width - wanted.width) + abs(format.height - wanted.height),
        abs(format.maxFrameRate - wanted.maxFrameRate)
      )
    }
    return formats.min { distance($0) < distance($1) } ?? wanted
  }
}
