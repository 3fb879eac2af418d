public import MeetingModel

extension MeetingStore {
  /// The maximum number of tags of a meeting.
  public static let maxTags = 50

  /// Sets tags of a meeting. Adds new keys, and changes the values of existing keys.
  ///
  /// - Throws: ``StorageError/meetingNotFound(_:)`` for an unknown or ended meeting;
  ///   ``StorageError/tooManyTags(_:)`` if the meeting would have too many tags. In this case, the
  ///   store sets no tag.
  public func setTags(
    _ tags: [MeetingTag], of meeting: MeetingID
  ) async throws(StorageError) {
    try await write { [self] database in
      try requireMeeting(meeting, database)
      for tag in tags { try TagTable.set(tag, of: meeting, in: database) }
      // An error here rolls back the transaction.
      guard try TagTable.count(of: meeting, in: database) <= Self.maxTags else {
        throw StorageError.tooManyTags(Self.maxTags)
      }
    }
  }

  /// Removes tags from a meeting. Ignores keys that the meeting does not have.
  ///
  /// - Throws: ``StorageError/meetingNotFound(_:)`` for an unknown or ended meeting.
  public func removeTags(
    _ keys: [String], of meeting: MeetingID
  ) async throws(StorageError) {
    try await write { [self] database in
      try requireMeeting(meeting, database)
      for key in keys { try TagTable.delete(key, of: meeting, in: database) }
    }
  }

  /// Returns the tags of a meeting in the order of their keys.
  ///
  /// - Throws: ``StorageError/meetingNotFound(_:)`` for an unknown or ended meeting.
  public func tags(of meeting: MeetingID) async throws(StorageError) -> [MeetingTag] {
    try await read { [self] database in
      try requireMeeting(meeting, database)
      return try TagTable.fetch(of: meeting, in: database)
    }
  }
}
