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
