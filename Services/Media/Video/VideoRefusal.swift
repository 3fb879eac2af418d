/// The reason for which a packet is not forwarded, for counting.
enum VideoRefusal: Error, Hashable, Sendable, CaseIterable {
  /// The packet is not RTP, or its payload does not begin as its format requires.
  case malformed

  /// The packet is larger than allowed.
  case tooLarge

  /// The packet belongs to no source of the meeting.
  case unknownSource

  /// The packet belongs to a source that another session publishes.
  case foreign

  /// The packet has another format than its source.
  case wrongPayloadType

  /// The packet arrived before, or arrived too late to be used.
  case repeated

  /// No decision admits it yet. It waits for one, and is forwarded or refused later.
  case early
}
