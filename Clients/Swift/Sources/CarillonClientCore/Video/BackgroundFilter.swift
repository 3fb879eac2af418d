/// The filters for the background of the local video.
public enum BackgroundFilter: Int, CaseNamed {
  /// The background is unchanged.
  case none = 0
  /// The background is blurred.
  case blur = 1
  /// A picture replaces the background.
  case replacement = 2
}

/// The strength of the background's blur, as the sigma of a Gaussian.
public enum BackgroundBlurStrength: Int, CaseNamed {
  /// The background remains recognisable.
  case low = 10
  /// The background can be guessed.
  case medium = 15
  /// The background is hidden.
  case high = 25
}
