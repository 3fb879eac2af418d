/// Which audio devices a session opens.
public enum AudioDeviceCapabilities: Int, CaseNamed {
  case none = 0
  case outputOnly = 1
  /// The only one that needs permission to record.
  case inputAndOutput = 2
}
