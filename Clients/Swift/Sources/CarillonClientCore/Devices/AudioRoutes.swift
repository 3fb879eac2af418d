/// The microphones and the loudspeaker of a machine, and which of them is in use: what a sound
/// server will give, or what stands for it.
package protocol AudioRoutes: AnyObject, Sendable {
  /// The microphones, in the system's order. Each has a port.
  var inputs: [MediaDevice] { get }

  /// What is in use; `nil` for nothing.
  var active: MediaDevice? { get }

  /// Uses this microphone.
  ///
  /// - Throws: If the system refuses.
  func useInput(_ device: MediaDevice) throws

  /// Is heard through the loudspeaker.
  ///
  /// - Throws: If the system refuses.
  func useLoudspeaker() throws

  /// Calls back on any thread when a device came, or one in use is gone.
  ///
  /// - Parameter lost: The port of the device that is gone, which may still be among the inputs.
  func onChange(_ callback: @escaping @Sendable (_ lost: MediaDevicePort?) -> Void)
}

extension MediaDevice {
  /// The loudspeaker, which every machine counts as having.
  static var loudspeaker: MediaDevice {
    MediaDevice(label: "Built-in Speaker", type: .audioBuiltInSpeaker)
  }
}
