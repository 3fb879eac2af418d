public import Foundation

/// Where an audio device is attached, as the sound server names it.
public final class MediaDevicePort: NSObject, Sendable {
  /// Tells the port from the others.
  public let uid: String

  /// For people.
  public let name: String

  /// The form factor: `bluetooth`, `headset`, `headphone`, `handset`, `internal`, `microphone`,
  /// `speaker`, or another text.
  public let portType: String

  public init(uid: String, name: String, portType: String) {
    self.uid = uid
    self.name = name
    self.portType = portType
  }

  var deviceType: MediaDeviceType {
    switch portType {
    case "bluetooth": .audioBluetooth
    case "headset", "headphone": .audioWiredHeadset
    case "handset", "internal", "microphone": .audioHandset
    case "speaker": .audioBuiltInSpeaker
    default: .other
    }
  }
}
