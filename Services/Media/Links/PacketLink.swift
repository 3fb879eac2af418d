import RTP

/// The way of one session's packets to its client.
///
/// The core of media knows connections by this protocol alone. A link sends; what arrives by it is
/// handed to ``MeetingMedia/take(_:from:at:)`` by whoever receives it. Links differ in how a client
/// proves whose they are, in what protects the packets, and in where packets wait.
///
/// Sessions hold their links as `any PacketLink`, because one meeting has links of several kinds. A
/// link is a class, so that the existential is two words and is never boxed: a call is an indirect
/// jump, which takes about a nanosecond, where a packet takes microseconds. A generic meeting would
/// save that jump and have one kind of link only.
///
/// All of it is called on the thread that carries the packets.
protocol PacketLink: AnyObject {
  /// Whether packets that are sent now may arrive.
  var isOpen: Bool { get }

  /// What was sent and the client has not taken. May cost a system call.
  var backlog: PacketBacklog { get }

  /// Packets that were dropped since the link opened because its client is too slow.
  var droppedPackets: UInt64 { get }

  /// How the client acknowledges packets, and is told which of its own packets arrived; `nil`: not
  /// at all.
  ///
  /// A client may begin to acknowledge at any time, or never does.
  var acknowledgement: Acknowledgement? { get }

  /// What formats are called on the wire. Changes only with what client and media agree on anew.
  var numbers: LinkNumbers { get }

  /// The numbers by which its client acknowledges packets; `nil`: it names streams and their
  /// numbers, or nothing. Does not change while the link is open.
  var transportNumbers: TransportNumbers? { get }

  /// Writes feedback on the packets that arrived by the link since the last one, where the link
  /// itself knows how its client wants it.
  ///
  /// - Parameter limit: The most bytes that may be written.
  /// - Returns: Whether there was something to say.
  func takeFeedback(within limit: Int, into writer: inout RTCPWriter) -> Bool

  /// Returns whether its client has agreed to receive a track of pictures. Changes only with what
  /// client and media agree on anew.
  func carries(track ssrc: UInt32) -> Bool

  /// Whether its client needs a packet of sound each 20 ms, as a browser's jitter buffer does, and
  /// not only when somebody is heard.
  var isContinuous: Bool { get }

  /// Whether its client sends a packet of sound again when a NACK asks for it. Changes only with
  /// what client and media agree on anew.
  var repeatsSound: Bool { get }

  /// Sends an RTP or RTCP packet, which has the numbers of this link.
  ///
  /// What the client does not take now waits; of that the oldest packets are dropped first. A link
  /// that is not open drops the packet. No other method of media is called meanwhile.
  ///
  /// - Parameter packet: Lent until the call returns.
  func send(_ packet: Span<UInt8>)

  /// Its session leaves the link: packets that wait are not sent any more, and packets that arrive
  /// do not count.
  func close()
}

extension PacketLink {
  func carries(track ssrc: UInt32) -> Bool { true }
  var isContinuous: Bool { false }
  var repeatsSound: Bool { false }
  var transportNumbers: TransportNumbers? { nil }

  func takeFeedback(within limit: Int, into writer: inout RTCPWriter) -> Bool { false }
}

/// What waits on a link.
struct PacketBacklog: Hashable, Sendable {
  /// Bytes that wait here, and that the system or the transport holds.
  var bytes = 0

  /// Packets that wait here, which a newer one may still displace.
  var packets = 0
}

/// A format of congestion control feedback.
enum Acknowledgement: Hashable, Sendable {
  /// RTCP that names each stream and sequence number (RFC 8888).
  case congestionFeedback

  /// RTCP that names the numbers of packets in their connection
  /// (draft-holmer-rmcat-transport-wide-cc-extensions-01).
  case transportFeedback
}
