/// How far a frame is to be turned clockwise before it is shown, in degrees.
public enum VideoRotation: Int, Sendable {
  case rotation0 = 0
  case rotation90 = 90
  case rotation180 = 180
  case rotation270 = 270

  /// Such as `rotation_90`.
  public var description: String { "rotation_\(rawValue)" }
}
