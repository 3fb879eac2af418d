public import MeetingModel

/// The failures of service keys and of the list of allowed keys.
public enum KeyError: StatusConvertible, Hashable {
  /// A key's name is not 1-64 letters, digits, `.`, `_` and `-`.
  case invalidName(String)
  /// Another key has the name.
  case nameIsTaken(String)
  /// No key has the name.
  case noSuchName(String)
  /// The key is already allowed for this role.
  case isAllowed(name: String)
  /// An operator revoked the key.
  case wasRevoked(name: String)
  /// The list is larger than ``AllowList/mostBytes``.
  case tooLarge
  /// There are no keys in the directory.
  case noKeys(directory: String)
  /// The directory already has keys.
  case hasKeys(path: String)
  /// This process cannot use a file.
  case fileFailed(path: String, problem: String)

  /// The status. The message describes what an operator must do.
  public var status: Status {
    switch self {
    case .invalidName(let name):
      Status(.invalidArgument, "\"\(name)\" is not a valid name: use 1-64 letters, digits, . _ -.")
    case .nameIsTaken(let name):
      Status(.alreadyExists, "Another key is named \(name); choose another name.")
    case .noSuchName(let name):
      Status(.notFound, "No key is named \(name); see carillon keys allowed.")
    case .isAllowed(let name):
      Status(.alreadyExists, "The key is already allowed, with the name \(name).")
    case .wasRevoked(let name):
      Status(
        .failedPrecondition,
        """
        The key was revoked with the name \(name). Use another key, or delete its line in \
        allowed.keys.
        """)
    case .tooLarge:
      Status(
        .failedPrecondition,
        "The list has more than \(AllowList.mostBytes) bytes; delete old lines.")
    case .noKeys(let directory):
      Status(.failedPrecondition, "\(directory) contains no keys; run carillon keys init.")
    case .hasKeys(let path):
      Status(
        .alreadyExists,
        """
        \(path) already exists. To get a new key, delete it first; then allow the new key on all \
        other hosts.
        """)
    case .fileFailed(let path, let problem):
      Status(.failedPrecondition, "\(path) cannot be used: \(problem)")
    }
  }
}
