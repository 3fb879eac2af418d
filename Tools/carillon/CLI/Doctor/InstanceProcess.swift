internal import Bus
internal import LocalInstallation

/// The process of an instance of this runtime directory. The process may be in another container.
enum InstanceProcess: Hashable, Sendable {
  /// This process can see and signal the instance's process.
  case here(ProcfsProcess)
  /// The process runs in another container.
  case elsewhere
  /// No process listens on the instance's health socket.
  case gone

  /// - Parameter directory: The runtime directory in which the instance is registered.
  init(of instance: RegisteredInstance, in directory: String) {
    switch ListeningProcess(at: "\(directory)/\(instance.instance).http.sock") {
    case .process(let id): self = .here(ProcfsProcess(id: id))
    case .hidden: self = .elsewhere
    case .none: self = .gone
    }
  }

  /// The process, if this process can see it.
  var visible: ProcfsProcess? { if case .here(let process) = self { process } else { nil } }

  /// The name of the process in a sentence, such as `process 17`.
  var name: String {
    switch self {
    case .here(let process): "process \(process.id)"
    case .elsewhere: "a process of another container"
    case .gone: "a process without a health socket"
    }
  }

  /// Returns a text that tells the operator how to restart the instance. If this process can see
  /// the instance's process, the text names that process.
  func restart(_ instance: String) -> String {
    switch self {
    case .here: "restart \(instance), \(name)"
    case .elsewhere: "restart \(instance), in its container"
    case .gone: "restart \(instance)"
    }
  }
}
