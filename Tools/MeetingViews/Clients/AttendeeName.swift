package import Output

/// The names of an attendee: the attendee id, the application's own id, and a display name.
package struct AttendeeName: Hashable, Sendable {
  package let attendeeID: String
  package let externalUserID: String

  /// The display name; empty for an attendee without a display name.
  package let displayName: String

  package init(attendeeID: String, externalUserID: String, displayName: String = "") {
    self.attendeeID = attendeeID
    self.externalUserID = externalUserID
    self.displayName = displayName
  }

  /// The name to show: the display name, or else the external user id.
  package var shown: String { displayName.isEmpty ? externalUserID : displayName }
}

extension OutputRecord {
  /// Returns the record with the name in an additional last field. If the name is empty, returns
  /// the record unchanged.
  package func adding(_ field: String, _ name: String) -> OutputRecord {
    guard !name.isEmpty else { return self }
    var record = self
    record[field] = .text(name)
    return record
  }
}
