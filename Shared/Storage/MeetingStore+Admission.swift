public import MeetingModel

extension MeetingStore {
  /// What these credentials are good for.
  ///
  /// A wrong token, an unknown attendee and an unknown meeting get one answer, for the same work:
  /// the same queries, one token minted, one comparison in constant time.
  ///
  /// - Parameter token: With or without `#content` at its end; whether the attendee may share
  ///   content is the caller's to check.
  public func admission(
    meeting: MeetingID, attendee: AttendeeID, token: JoinToken
  ) async throws(StorageError) -> Admission {
    try await read { [self] database in
      let live = try AttendeeTable.fetch(attendee, of: meeting, in: database)
      let ended = try EndedMeetingTable.fetch(attendee, of: meeting, in: database)
      let nonce = live?.nonce ?? ended?.nonce ?? Self.decoyNonce
      let isValid = tokens.isValid(token, meeting: meeting, attendee: attendee, nonce: nonce)
      guard isValid else { return .refused }
      if let live {
        return .admitted(try MeetingTable.fetch(meeting, in: database), live.attendee)
      }
      return ended.map { .meetingEnded($0.cause) } ?? .refused
    }
  }

  /// Stands in for the nonce of an attendee that does not exist.
  private static let decoyNonce = [UInt8](repeating: 0, count: JoinTokens.nonceSize)
}
