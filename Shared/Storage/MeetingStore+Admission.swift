public import MeetingModel

extension MeetingStore {
  /// Returns whether the credentials admit an attendee.
  ///
  /// A wrong token, an unknown attendee and an unknown meeting get the same response after the same
  /// work: the same queries, the derivation of one token, and one comparison in constant time.
  ///
  /// - Parameter token: The token, with or without `#content` at its end. The caller checks whether
  ///   the attendee may share content.
  public func admission(
    meeting: MeetingID, attendee: AttendeeID, token: JoinToken
  ) async throws(StorageError) -> JoinCredentialsCheck {
    try await read { [self] database in
      let live = try LiveAttendeeTable.fetch(attendee, of: meeting, in: database)
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

  /// A substitute for the nonce of an attendee that does not exist.
  private static let decoyNonce = [UInt8](repeating: 0, count: JoinTokenIssuer.nonceSize)
}
