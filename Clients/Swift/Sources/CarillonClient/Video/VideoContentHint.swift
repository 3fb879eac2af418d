/// What a video shows, and so what matters when it is coded.
public enum VideoContentHint: Int, CaseNamed {
  case none = 0
  /// Smoothness first.
  case motion = 1
  /// Sharpness first.
  case detail = 2
  /// Legibility first.
  case text = 3
}
