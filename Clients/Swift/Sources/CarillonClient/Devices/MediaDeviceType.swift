/// What kind of device it is.
public enum MediaDeviceType: Int, CaseNamed {
  case audioBluetooth = 0
  case audioWiredHeadset = 1
  case audioBuiltInSpeaker = 2
  case audioHandset = 3
  case videoFrontCamera = 4
  case videoBackCamera = 5
  case other = 6
}
