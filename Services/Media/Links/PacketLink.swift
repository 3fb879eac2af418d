import RTP

/// The connection that carries one session's packets to its client.
///
/// The core of `media` uses connections only through this protocol. A link sends packets. The code
/// that receives packets from the client passes them to ``MeetingMedia/take(_:from:at:)``. Links
/// differ in three respects: how a client proves that it owns its session, how the link protects
/// packets, and where packets wait.
///
/// Sessions refer to their links as `any PacketLink`, because one meeting has links of several
/// kinds. A link is a class, so an existential of a link has two words and causes no allocation. A
/// call through the existential costs about a nanosecond more than a direct call, and `media` needs
/// microseconds for each packet. A generic meeting would avoid this cost, but could have only one
/// kind of link.
///
/// Callers use all members on the thread that handles the packets.
protocol PacketLink: AnyObject {
  /// Whether packets can reach the client if the link sends them now.
  var isOpen: Bool { get }

  /// The sent packets that the client has not received yet.
  ///
  /// Reading this property may cost a system call.
  var backlog: PacketBacklog { get }

  /// The number of packets that the link has dropped because the client is too slow.
  var droppedPackets: UInt64 { get }

  /// The format in which the client acknowledges packets, and in which `media` acknowledges the
  /// client's packets; `nil` if there is none.
  ///
  /// A client may start to acknowledge packets at any time, or never.
  var acknowledgement: FeedbackFormat? { get }

  /// The payload types and the ids of header extensions in packets.
  ///
  /// Only a new negotiation changes the numbers.
  var numbers: LinkRTPParameters { get }

  /// The numbers by which the client acknowledges packets; `nil` if the client identifies packets
  /// by stream and sequence number, or acknowledges nothing. The numbers do not change while the
  /// link is open.
  var transportNumbers: TransportNumbers? { get }

  /// Writes feedback on the packets that arrived since the last feedback. Writes nothing unless the
  /// link itself records the arrivals.
  ///
  /// - Parameter limit: The maximum number of bytes to write.
  /// - Returns: Whether the link had feedback to write.
  func takeFeedback(within limit: Int, into writer: inout RTCPWriter) -> Bool

  /// Returns whether the client has agreed to receive a video track.
  ///
  /// Only a new negotiation changes this.
  func carries(track ssrc: UInt32) -> Bool

  /// Whether the client needs an audio packet every 20 ms, even in silence. The jitter buffers of
  /// browsers need these packets.
  var isContinuous: Bool { get }

  /// Whether the client sends an audio packet again after a NACK.
  ///
  /// Only a new negotiation changes this.
  var repeatsSound: Bool { get }

  /// Whether the client applies the estimate in a REMB as a limit for the video that the client
  /// sends.
  var takesEstimates: Bool { get }

  /// The bandwidth that `media` estimates for the link from the client, in bit/s; `nil` if the
  /// client sends no video, or if the client itself estimates this link from the acknowledgements
  /// of `media`.
  var uplinkEstimate: Int? { get }

  /// Whether the client ignores a key frame request that follows soon after an answered request for
  /// any layer of the same video.
  var ignoresEarlyKeyFrameRequests: Bool { get }

  /// Sends an RTP or RTCP packet. The packet already contains the payload types and extension ids
  /// of this link.
  ///
  /// If the client cannot receive a packet yet, the packet waits in the link. If too many packets
  /// wait, the link drops the oldest packets. A link that is not open drops the packet. During the
  /// call, the link calls no other method of `media`.
  ///
  /// - Parameter packet: The packet, which is valid only during the call.
  func send(_ packet: Span<UInt8>)

  /// Closes the link. A closed link sends no waiting packets, and ignores packets that arrive.
  func close()
}

extension PacketLink {
  func carries(track ssrc: UInt32) -> Bool { true }
  var isContinuous: Bool { false }
  var repeatsSound: Bool { false }
  var takesEstimates: Bool { false }
  var uplinkEstimate: Int? { nil }
  var transportNumbers: TransportNumbers? { nil }
  var ignoresEarlyKeyFrameRequests: Bool { false }

  func takeFeedback(within limit: Int, into writer: inout RTCPWriter) -> Bool { false }
}

/// The packets that wait on a link.
struct PacketBacklog: Hashable, Sendable {
  /// The number of bytes that wait in the link, in the system or in the transport.
  var bytes = 0

  /// The number of packets in the link that a newer packet may still replace.
  var packets = 0
}

/// A format of congestion control feedback.
enum FeedbackFormat: Hashable, Sendable {
  /// RTCP that contains each stream and sequence number (RFC 8888).
  case congestionFeedback

  /// RTCP that contains the numbers of packets within their connection
  /// (draft-holmer-rmcat-transport-wide-cc-extensions-01).
  case transportFeedback
}
