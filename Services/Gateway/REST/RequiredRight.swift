import Storage

/// The right that a caller needs for an operation.
enum RequiredRight: Hashable, Sendable {
  /// The kind of access, by which roles distinguish operations.
  enum Kind {
    case creates, reads, changes
  }

  /// No right, not even a signature.
  ///
  /// Such operations are outside the API of server applications and disclose no secrets.
  case none

  /// A key with a role for this kind.
  ///
  /// A key of one tenant covers that tenant's meetings only.
  case key(Kind)

  /// A key with a role for this kind, but no key of one tenant: the operation concerns the whole
  /// installation.
  case installationKey(Kind)

  /// A visit from the page, or a key that may change meetings.
  case page

  /// Returns whether a key of this role may use the operation.
  func isGranted(to role: AccessRole) -> Bool {
    switch (self, role) {
    case (.none, _), (_, .all): true
    case (.key(let kind), .createOnly), (.installationKey(let kind), .createOnly): kind == .creates
    case (.key(let kind), .readOnly), (.installationKey(let kind), .readOnly): kind == .reads
    case (.page, .createOnly), (.page, .readOnly): false
    }
  }

  /// Whether the operation is closed to keys of one tenant.
  var isForAllTenants: Bool {
    if case .installationKey = self { true } else { false }
  }
}
