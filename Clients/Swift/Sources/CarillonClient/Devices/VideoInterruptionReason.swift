/// Why a camera stopped to capture.
public enum VideoInterruptionReason: Int, Error, CaseNamed {
  case videoDeviceNotAvailableInBackground
  case videoDeviceInUseByAnotherClient
  case videoDeviceNotAvailableWithMultipleForegroundApps
  case videoDeviceNotAvailableDueToSystemPressure
  case other
}
