/// A driver of one camera of the machine. Only one source uses a driver at a time.
///
/// Drivers for V4L2 cameras do not exist yet. Test patterns replace these drivers.
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
  /// Returns the camera's format whose size is nearest to the wanted size. Among equally near
  /// sizes, returns the format with the nearest frame rate.
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
