/// Why a packet is not forwarded, for counting.
enum VideoRefusal: Error, Hashable, Sendable, CaseIterable {
  /// No RTP packet, or a payload that does not begin as its format says.
  case malformed

  /// Larger than allowed.
  case tooLarge

  /// The packet belongs to no source of the meeting.
  case unknownSource

  /// The packet belongs to a source that another session publishes.
  case foreign

  /// The packet has another format than its source.
  case wrongPayloadType

  /// It came before, or so late that nobody waits for it.
  case repeated

  /// No decision admits it yet. It waits for one, and is forwarded or refused later.
  case early
}
