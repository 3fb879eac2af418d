import Synchronization

/// The virtual audio devices: one microphone, whose audio the program provides, and the
/// loudspeaker.
package final class VirtualAudioRoutes: AudioDevices {
  private struct State {
    var inputs: [MediaDevice]
    var chosen: MediaDevicePort?
    var isLoudspeakerChosen = false
    var callback: (@Sendable (MediaDevicePort?) -> Void)?
  }

  enum Failure: Error {
    case noSuchDevice
  }

  private let state: Mutex<State>

  package static let microphone = MediaDevice(
    label: "Virtual Microphone",
    port: MediaDevicePort(
      uid: "virtual-microphone", name: "Virtual Microphone", portType: "microphone"))

  package init(inputs: [MediaDevice] = [microphone]) {
    state = Mutex(State(inputs: inputs))
  }

  package var inputs: [MediaDevice] { state.withLock { $0.inputs } }

  package var active: MediaDevice? {
    state.withLock { state in
      if state.isLoudspeakerChosen { return .loudspeaker }
      return state.inputs.first { $0.port?.uid == state.chosen?.uid } ?? state.inputs.first
    }
  }

  package func useInput(_ device: MediaDevice) throws {
    try state.withLock { state in
      guard state.inputs.contains(where: { $0.port?.uid == device.port?.uid }) else {
        throw Failure.noSuchDevice
      }
      (state.chosen, state.isLoudspeakerChosen) = (device.port, false)
    }
  }

  package func useLoudspeaker() { state.withLock { $0.isLoudspeakerChosen = true } }

  package func onChange(_ callback: @escaping @Sendable (MediaDevicePort?) -> Void) {
    state.withLock { $0.callback = callback }
  }

  /// Adds a device.
  package func plug(_ device: MediaDevice) {
    let callback = state.withLock { state in
      state.inputs.append(device)
      return state.callback
    }
    callback?(nil)
  }

  /// Removes a device. The callback reports the loss only if the device was in use.
  package func unplug(_ device: MediaDevice) {
    let wasActive = active?.port?.uid == device.port?.uid
    let callback = state.withLock { state in
      state.inputs.removeAll { $0.port?.uid == device.port?.uid }
      return state.callback
    }
    if wasActive { callback?(device.port) }
  }
}
