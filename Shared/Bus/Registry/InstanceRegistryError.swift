public import MeetingModel

/// The failures of the registry.
public enum InstanceRegistryError: StatusConvertible, Hashable {
  /// Another process has the name.
  case instanceIsTaken(String)
  /// The name is not 1-32 characters of `a`-`z`, `0`-`9` and `-`.
  case invalidName(String)
  /// The service has no live instance of this name.
  case noInstance(String)
  /// The instance has no endpoint for this purpose.
  case noEndpoint(instance: String, purpose: String)
  /// This process could not read or write a file. `code` is the `errno`.
  case fileFailed(path: String, operation: String, code: Int32)
  /// The store that several machines share does not answer. The text names the store and the cause.
  case storeIsAway(String)

  /// The status. The message describes what an operator must do.
  public var status: Status {
    switch self {
    case .instanceIsTaken(let name):
      Status(
        .alreadyExists,
        "A running process already has the name \(name); stop it, or use another --instance.")
    case .invalidName(let name):
      Status(.invalidArgument, "\"\(name)\" is not a valid name: use a-z, 0-9 and -.")
    case .noInstance(let name):
      Status(.notFound, "No running instance has the name \(name); see carillon services.")
    case .noEndpoint(let instance, let purpose):
      Status(
        .unavailable,
        "\(instance) announces no endpoint for \(purpose); on another host it needs "
          + "--cluster-listen.")
    case .fileFailed(let path, let operation, let code):
      Status(
        .unavailable, "\(operation) \(path) failed with errno \(code); check the runtime directory."
      )
    case .storeIsAway:
      Status(.unavailable, "The registry of instances does not answer; retry later.")
    }
  }
}
