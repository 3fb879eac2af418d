/// What the server says of one attendee's signal strength.
struct SignalReport: Hashable, Sendable {
  var attendeeId: String
  /// May be empty for the local attendee.
  var externalUserId: String
  var strength: SignalStrength
}
