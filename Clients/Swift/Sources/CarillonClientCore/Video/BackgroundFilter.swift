/// The filters for the background of the local video.
public enum BackgroundFilter: Int, CaseNamed {
  /// The filter does not change the background.
  case none = 0
  /// The filter blurs the background.
  case blur = 1
  /// A picture replaces the background.
  case replacement = 2
}

/// The strength of the background's blur, as the sigma of a Gaussian.
public enum BackgroundBlurStrength: Int, CaseNamed {
  /// A viewer can recognize the background.
  case low = 10
  /// A viewer can only guess the background.
  case medium = 15
  /// A viewer cannot recognize the background.
  case high = 25
}
