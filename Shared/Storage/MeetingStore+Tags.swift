public import MeetingModel

extension MeetingStore {
  /// Tags that one meeting may have.
  public static let maxTags = 50

  /// Tags a meeting: keys that it has get the new values, the others are added.
  ///
  /// - Throws: ``StorageError/meetingNotFound(_:)`` for an unknown or ended meeting;
  ///   ``StorageError/tooManyTags(_:)`` if it would have more than it may. Nothing is set then.
  public func setTags(
    _ tags: [MeetingTag], of meeting: MeetingID
  ) async throws(StorageError) {
    try await write { [self] database in
      try requireMeeting(meeting, database)
      for tag in tags { try TagTable.set(tag, of: meeting, in: database) }
      // What this throws takes the transaction back.
      guard try TagTable.count(of: meeting, in: database) <= Self.maxTags else {
        throw StorageError.tooManyTags(Self.maxTags)
      }
    }
  }

  /// Takes tags off a meeting; keys that it does not have are ignored.
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

  /// The tags of a meeting, in the order of their keys.
  ///
  /// - Throws: ``StorageError/meetingNotFound(_:)`` for an unknown or ended meeting.
  public func tags(of meeting: MeetingID) async throws(StorageError) -> [MeetingTag] {
    try await read { [self] database in
      try requireMeeting(meeting, database)
      return try TagTable.fetch(of: meeting, in: database)
    }
  }
}
