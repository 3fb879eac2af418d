public import MeetingModel

/// What can go wrong with the registry.
public enum RegistryError: StatusConvertible, Hashable {
  case instanceIsTaken(String)
  case invalidName(String)
  case noEndpoint(instance: String, purpose: String)
  case fileFailed(path: String, operation: String, code: Int32)

  public var status: Status {
    switch self {
    case .instanceIsTaken(let name):
      Status(
        .alreadyExists, "A running process is \(name) already; stop it or use another --instance.")
    case .invalidName(let name):
      Status(.invalidArgument, "\"\(name)\" is no name here: a-z, 0-9 and - make one.")
    case .noEndpoint(let instance, let purpose):
      Status(.unavailable, "\(instance) announces no endpoint for \(purpose).")
    case .fileFailed(let path, let operation, let code):
      Status(
        .unavailable, "\(operation) \(path) failed with errno \(code); check the runtime directory."
      )
    }
  }
}
