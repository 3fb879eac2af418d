/// The reason why the router does not forward a packet.
enum VideoRefusal: Error, Hashable, Sendable, CaseIterable {
  /// The packet is not RTP, or its payload does not begin as the packet's format requires.
  case malformed

  /// The packet is larger than allowed.
  case tooLarge

  /// The packet belongs to no source of the meeting.
  case unknownSource

  /// The packet belongs to a source that another session publishes.
  case foreign

  /// The codec of the packet differs from the codec of the packet's source.
  case wrongPayloadType

  /// The packet has arrived before, or arrived too late.
  case repeated

  /// No decision admits the packet yet. The packet waits, and the router later forwards or refuses
  /// the packet.
  case early
}
