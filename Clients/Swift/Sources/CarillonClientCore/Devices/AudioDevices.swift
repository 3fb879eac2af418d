/// The microphones and the loudspeaker of a machine, and the device in use.
///
/// The library does not use a sound server yet. Virtual devices replace the devices of a sound
/// server.
package protocol AudioDevices: AnyObject, Sendable {
  /// The microphones, in the system's order. Each microphone has a port.
  var inputs: [MediaDevice] { get }

  /// The device in use; `nil` if no device is in use.
  var active: MediaDevice? { get }

  /// Switches to the given microphone.
  ///
  /// - Throws: An error if the system rejects the change.
  func useInput(_ device: MediaDevice) throws

  /// Switches to the loudspeaker.
  ///
  /// - Throws: An error if the system rejects the change.
  func useLoudspeaker() throws

  /// Sets a callback for two events: the user connects a device, or the current device disappears.
  ///
  /// The callback may run on any thread.
  ///
  /// - Parameter lost: The port of the lost device. The device may still be among the inputs.
  func onChange(_ callback: @escaping @Sendable (_ lost: MediaDevicePort?) -> Void)
}

extension MediaDevice {
  /// The loudspeaker. The library assumes that every machine has one.
  static var loudspeaker: MediaDevice {
    MediaDevice(label: "Built-in Speaker", type: .audioBuiltInSpeaker)
  }
}
