/// What the server says of one attendee's volume.
struct VolumeReport: Hashable, Sendable {
  var attendeeId: String
  /// May be empty for the local attendee.
  var externalUserId: String
  var level: VolumeLevel
}
