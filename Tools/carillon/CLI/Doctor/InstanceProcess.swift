internal import Bus
internal import LocalInstallation

/// The process of an instance of this runtime directory, which may be in another container.
enum InstanceProcess: Hashable, Sendable {
  /// It can be seen and signalled from here.
  case here(RunningProcess)
  /// It runs in another container.
  case elsewhere
  /// It has none: nobody listens on its health socket.
  case gone

  /// - Parameter directory: The runtime directory that the instance has registered in.
  init(of instance: RegisteredInstance, in directory: String) {
    switch UnixListener(at: "\(directory)/\(instance.instance).http.sock") {
    case .process(let id): self = .here(RunningProcess(id: id))
    case .hidden: self = .elsewhere
    case .none: self = .gone
    }
  }

  /// The process, if it can be seen from here.
  var visible: RunningProcess? { if case .here(let process) = self { process } else { nil } }

  /// How a sentence names it, such as `process 17`.
  var name: String {
    switch self {
    case .here(let process): "process \(process.id)"
    case .elsewhere: "a process of another container"
    case .gone: "a process without a health socket"
    }
  }

  /// How to restart it: by its process, where that can be seen.
  func restart(_ instance: String) -> String {
    switch self {
    case .here: "restart \(instance), \(name)"
    case .elsewhere: "restart \(instance), in its container"
    case .gone: "restart \(instance)"
    }
  }
}
