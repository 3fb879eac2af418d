package import Output

/// An attendee, under the meeting's id, the application's, and the name that people use.
package struct AttendeeName: Hashable, Sendable {
  package let attendeeID: String
  package let externalUserID: String

  /// Empty for an attendee that has none.
  package let displayName: String

  package init(attendeeID: String, externalUserID: String, displayName: String = "") {
    self.attendeeID = attendeeID
    self.externalUserID = externalUserID
    self.displayName = displayName
  }

  /// What to show of it: its display name, or its external user id.
  package var shown: String { displayName.isEmpty ? externalUserID : displayName }
}

extension Record {
  /// The record with a field for a name behind the others, unless there is no name.
  package func adding(_ field: String, _ name: String) -> Record {
    guard !name.isEmpty else { return self }
    var record = self
    record[field] = .text(name)
    return record
  }
}
