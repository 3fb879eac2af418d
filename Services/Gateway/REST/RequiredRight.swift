import Storage

/// What a caller needs to use an operation.
enum RequiredRight: Hashable, Sendable {
  /// What an operation does, as roles distinguish operations.
  enum Kind {
    case creates, reads, changes
  }

  /// Nothing, not even a signature: the operation is no part of the API of server applications, and
  /// tells no secrets.
  case none

  /// A key with a role for this kind. A key of one tenant reaches the tenant's meetings only.
  case key(Kind)

  /// A key with a role for this kind that is not a key of one tenant, because the operation
  /// concerns the whole installation.
  case installationKey(Kind)

  /// A visit by the page, or a key that may change meetings.
  case page

  /// Whether a key of this role may use the operation.
  func isGranted(to role: AccessRole) -> Bool {
    switch (self, role) {
    case (.none, _), (_, .all): true
    case (.key(let kind), .createOnly), (.installationKey(let kind), .createOnly): kind == .creates
    case (.key(let kind), .readOnly), (.installationKey(let kind), .readOnly): kind == .reads
    case (.page, .createOnly), (.page, .readOnly): false
    }
  }

  /// Whether a key of one tenant may not use the operation.
  var isForAllTenants: Bool {
    if case .installationKey = self { true } else { false }
  }
}
