public import MeetingModel

/// Assembles frames from the packets of one video stream, in order.
///
/// A frame is complete when all its packets have arrived, from its first packet to the packet with
/// the marker bit. After a loss, the assembler returns no frame before the next key frame, because
/// a frame that refers to a lost frame would be corrupt. While ``needsKeyFrame`` is true, the
/// caller should request a key frame. No input causes a crash.
public struct FrameAssembler: Sendable {
  private var packets: ReorderBuffer
  private var builder: VideoFrameBuilder

  /// The number of packets that did not arrive in time.
  public private(set) var lostPackets = 0

  /// The maximum number of bytes of a frame.
  public static let maximumFrameBytes = 4 << 20

  /// - Parameters:
  ///   - capacity: The maximum number of packets that may wait for missing packets; a power of two.
  ///   - timeout: The longest wait for a missing packet.
  public init(
    _ codec: VideoCodec, capacity: Int = 512, timeout: Duration = .milliseconds(200)
  ) {
    packets = ReorderBuffer(capacity: capacity, timeout: timeout)
    builder = VideoFrameBuilder(codec)
  }

  /// The data of the last frame from ``next(at:)``: VP8 as encoded, or H.264 in the byte stream
  /// format with start codes.
  public var data: [UInt8] { builder.data }

  /// Whether the next decoded frame must be a key frame; true at the beginning.
  public var needsKeyFrame: Bool { builder.needsKeyFrame }

  /// The number of dropped frames: frames that were incomplete, malformed, or dependent on a lost
  /// frame.
  public var droppedFrames: Int { builder.droppedFrames }

  /// The number of rejected packets: duplicate, late or too large packets.
  public var refusedPackets: Int { packets.refused }

  /// Adds a received packet.
  ///
  /// - Parameter bytes: The bytes of `packet`.
  public mutating func insert(_ packet: RTPPacket, _ bytes: Span<UInt8>, at now: MonotonicTime) {
    packets.insert(packet.sequence, bytes, at: now)
  }

  /// Returns the next complete frame and puts its bytes into ``data``; `nil` while packets are
  /// missing.
  public mutating func next(at now: MonotonicTime) -> VideoFrame? {
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
    _ slot: Int, of packets: borrowing ReorderBuffer, to builder: inout VideoFrameBuilder
  ) -> VideoFrame? {
    packets.withPacket(slot) { builder.add($0) }
  }
}
