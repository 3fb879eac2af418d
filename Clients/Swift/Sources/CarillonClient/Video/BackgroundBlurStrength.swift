/// How much a background is blurred, as the sigma of a Gaussian.
public enum BackgroundBlurStrength: Int, CaseNamed {
  case low = 10
  case medium = 15
  case high = 25
}
