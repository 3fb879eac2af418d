import RTP

/// The connection that carries one session's packets to its client.
///
/// The core of media knows connections by this protocol alone. A link sends packets. The code that
/// receives packets from the client passes them to ``MeetingMedia/take(_:from:at:)``. Links differ
/// in how a client proves its session, in how packets are protected, and in where packets wait.
///
/// Sessions hold their links as `any PacketLink`, because one meeting has links of several kinds. A
/// link is a class, so that the existential is two words and is never boxed: a call is an indirect
/// jump, which takes about a nanosecond, where a packet takes microseconds. A generic meeting would
/// save that jump and have one kind of link only.
///
/// All members are used on the thread that carries the packets.
protocol PacketLink: AnyObject {
  /// Whether packets that are sent now may arrive.
  var isOpen: Bool { get }

  /// The packets that were sent and that the client has not received.
  ///
  /// May cost a system call.
  var backlog: PacketBacklog { get }

  /// Packets that were dropped since the link opened because its client is too slow.
  var droppedPackets: UInt64 { get }

  /// The format in which the client acknowledges packets, and in which media acknowledges the
  /// client's packets; `nil` if there is none.
  ///
  /// A client may start to acknowledge at any time, or never.
  var acknowledgement: Acknowledgement? { get }

  /// The numbers of the formats on the wire.
  ///
  /// They change only in a new negotiation.
  var numbers: LinkNumbers { get }

  /// The numbers by which the client acknowledges packets.
  ///
  /// `nil` if the client names streams and sequence numbers, or acknowledges nothing. Does not
  /// change while the link is open.
  var transportNumbers: TransportNumbers? { get }

  /// Writes feedback on the packets that arrived since the last feedback, if the link keeps the
  /// record itself.
  ///
  /// - Parameter limit: The maximum number of bytes to write.
  /// - Returns: Whether there was feedback to write.
  func takeFeedback(within limit: Int, into writer: inout RTCPWriter) -> Bool

  /// Returns whether the client has agreed to receive a video track.
  ///
  /// Changes only in a new negotiation.
  func carries(track ssrc: UInt32) -> Bool

  /// Whether the client needs an audio packet every 20 ms, even in silence, as a browser's jitter
  /// buffer does.
  var isContinuous: Bool { get }

  /// Whether the client retransmits an audio packet that a NACK requests.
  ///
  /// Changes only in a new negotiation.
  var repeatsSound: Bool { get }

  /// Sends an RTP or RTCP packet, which has the numbers of this link.
  ///
  /// A packet that the client cannot receive yet waits; if too many wait, the oldest are dropped
  /// first. A link that is not open drops the packet. During the call, no other method of media is
  /// called.
  ///
  /// - Parameter packet: The packet, borrowed until the call returns.
  func send(_ packet: Span<UInt8>)

  /// Closes the link: waiting packets are not sent, and packets that arrive are ignored.
  func close()
}

extension PacketLink {
  func carries(track ssrc: UInt32) -> Bool { true }
  var isContinuous: Bool { false }
  var repeatsSound: Bool { false }
  var transportNumbers: TransportNumbers? { nil }

  func takeFeedback(within limit: Int, into writer: inout RTCPWriter) -> Bool { false }
}

/// The packets that wait on a link.
struct PacketBacklog: Hashable, Sendable {
  /// Bytes that wait here or that the system or the transport holds.
  var bytes = 0

  /// Packets that wait here and that a newer one may still displace.
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
