public import MeetingModel

extension V1.VolumeLevel {
  /// A level as it travels.
  public init(_ level: VolumeLevel) {
    self.init(rawValue: level.rawValue + VolumeLevel.wireOffset)
  }
}

extension V1.SignalStrength {
  /// A strength as it travels.
  public init(_ strength: SignalStrength) {
    self.init(rawValue: strength.rawValue + SignalStrength.wireOffset)
  }
}

extension VolumeLevel {
  /// What the contract's number is more than the facade's.
  public static let wireOffset: Int32 = 2
}

extension SignalStrength {
  /// What the contract's number is more than the facade's.
  public static let wireOffset: Int32 = 1
}
