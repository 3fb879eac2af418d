/// A camera of the machine: what V4L2 will give, or what stands for it. Used by one source at a
/// time.
package protocol CameraDriver: AnyObject, Sendable {
  var device: MediaDevice { get }

  /// What it can capture; never empty.
  var formats: [VideoCaptureFormat] { get }

  /// Begins to capture. Frames come on a queue of the driver until ``stop()``.
  ///
  /// - Throws: `CaptureSourceError`.
  func start(
    _ format: VideoCaptureFormat, deliver: @escaping @Sendable (VideoFrame) -> Void
  ) throws(CaptureSourceError)

  func stop()
}

extension CameraDriver {
  /// The format that is nearest in size to this one, and then in rate.
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
