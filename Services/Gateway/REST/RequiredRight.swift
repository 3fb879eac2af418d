import Storage

/// The right that a caller needs for an operation.
enum RequiredRight: Hashable, Sendable {
  /// The kind of access that an operation needs. The role of a key permits some of the kinds.
  enum Kind {
    case creates, reads, changes
  }

  /// The caller needs no right and no signature.
  ///
  /// These operations are not for server applications, and disclose no secrets.
  case none

  /// A key whose role permits this kind of access.
  ///
  /// A key of one tenant is valid only for this tenant's meetings.
  case key(Kind)

  /// A key whose role permits this kind of access, for an operation that concerns the whole
  /// installation. The key must not be limited to one tenant.
  case installationKey(Kind)

  /// A visit from the page, or a key whose role permits changes of meetings.
  case page

  /// A host token of the meeting in the path. A key does not suffice.
  case host

  /// Returns whether a key with this role may use the operation.
  func isGranted(to role: AccessRole) -> Bool {
    switch (self, role) {
    case (.host, _): false
    case (.none, _), (_, .all): true
    case (.key(let kind), .createOnly), (.installationKey(let kind), .createOnly): kind == .creates
    case (.key(let kind), .readOnly), (.installationKey(let kind), .readOnly): kind == .reads
    case (.page, .createOnly), (.page, .readOnly): false
    }
  }

  /// Whether the operation concerns all tenants, so that callers with a key of one tenant may not
  /// use it.
  var isForAllTenants: Bool {
    if case .installationKey = self { true } else { false }
  }
}
