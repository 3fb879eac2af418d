public import MeetingModel

/// Makes whole frames out of the packets of one video stream, in order.
///
/// A frame is complete when all its packets are there, from the one that begins it to the marked
/// one. After a loss nothing comes out before the next key frame: what refers to a lost frame would
/// show garbage. ``needsKeyFrame`` says when to ask for one. Whatever the bytes are, it does not
/// crash.
public struct FrameAssembler: Sendable {
  private var packets: ReorderBuffer
  private var builder: FrameBuilder

  /// Packets that did not come in time.
  public private(set) var lostPackets = 0

  /// The largest frame that is put together.
  public static let maximumFrameBytes = 4 << 20

  /// - Parameters:
  ///   - capacity: Packets that wait for missing ones; a power of two.
  ///   - timeout: How long they wait.
  public init(
    _ codec: VideoCodec, capacity: Int = 512, timeout: Duration = .milliseconds(200)
  ) {
    packets = ReorderBuffer(capacity: capacity, timeout: timeout)
    builder = FrameBuilder(codec)
  }

  /// The frame that ``next(at:)`` returned last: VP8 as the encoder made it, H.264 in the byte
  /// stream format with start codes.
  public var data: [UInt8] { builder.data }

  /// Whether nothing can be decoded before a key frame comes. True at the beginning.
  public var needsKeyFrame: Bool { builder.needsKeyFrame }

  /// Frames that were not handed out: incomplete, malformed, or of no use without a lost one.
  public var droppedFrames: Int { builder.droppedFrames }

  /// Packets that came twice, too late, or were too large.
  public var refusedPackets: Int { packets.refused }

  /// A packet came.
  ///
  /// - Parameter bytes: What `packet` was parsed from.
  public mutating func insert(_ packet: RTPPacket, _ bytes: Span<UInt8>, at now: MediaTime) {
    packets.insert(packet.sequence, bytes, at: now)
  }

  /// The next complete frame, whose bytes are then in ``data``. `nil`: wait for packets.
  public mutating func next(at now: MediaTime) -> VideoFrame? {
    while let step = packets.step(at: now) {
      switch step {
      case .gap(let count):
        lostPackets += count
        builder.lose()
      case .packet(let slot):
        if let frame = Self.add(slot, of: packets, to: &builder) { return frame }
      }
    }
    return nil
  }

  private static func add(
    _ slot: Int, of packets: borrowing ReorderBuffer, to builder: inout FrameBuilder
  ) -> VideoFrame? {
    packets.withPacket(slot) { builder.add($0) }
  }
}
