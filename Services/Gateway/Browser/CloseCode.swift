/// What a WebSocket of a browser is closed with.
///
/// Before its first INDEX a browser comes back after 4500-4599 only, and gives up after anything
/// else; later it comes back after 4500-4599 and does not react to anything else.
enum CloseCode: UInt16, Hashable, Sendable {
  /// It is over as it should be.
  case normal = 1000

  /// What came is no WebSocket (RFC 6455, §7.4.1).
  case protocolError = 1002

  /// Text, where only binary messages mean something.
  case unsupportedData = 1003

  /// A message is larger than any that means something.
  case messageTooBig = 1009

  /// A message is no frame, or one that does not come now.
  case badFrame = 4400

  /// The credentials admit nobody.
  case refused = 4403

  /// The meeting has ended.
  case meetingEnded = 4410

  /// A defect here.
  case internalError = 4500

  /// Too many come at once, a service is away, or this gateway is about to stop.
  case unavailable = 4503

  /// The client reads too slowly.
  case tooSlow = 4508

  /// Nothing was heard of the client for too long.
  case silent = 4509
}
