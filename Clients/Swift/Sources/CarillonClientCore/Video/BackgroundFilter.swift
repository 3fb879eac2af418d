/// What is done to the background of the local video.
public enum BackgroundFilter: Int, CaseNamed {
  /// The background stays as it is.
  case none = 0
  /// The background is blurred.
  case blur = 1
  /// A picture stands in place of the background.
  case replacement = 2
}

/// How much a background is blurred, as the sigma of a Gaussian.
public enum BackgroundBlurStrength: Int, CaseNamed {
  /// The background stays recognisable.
  case low = 10
  /// The background can be guessed.
  case medium = 15
  /// The background is hidden.
  case high = 25
}
