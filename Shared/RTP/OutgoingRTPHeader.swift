/// The header of an RTP packet to send; the payload follows it.
public struct OutgoingRTPHeader: Hashable, Sendable {
  /// The marker bit. In video, this bit marks the last packet of a frame.
  public var isMarked: Bool

  /// The payload type, 0–127; the writer drops higher bits.
  public var payloadType: UInt8

  /// The sequence number in the stream.
  public var sequence: SequenceNumber

  /// The timestamp in ticks of the payload format's clock; it wraps.
  public var timestamp: UInt32

  /// The SSRC of the stream.
  public var ssrc: UInt32

  /// Creates a header without extensions.
  public init(
    payloadType: UInt8, sequence: SequenceNumber, timestamp: UInt32, ssrc: UInt32,
    isMarked: Bool = false
  ) {
    self.payloadType = payloadType
    self.sequence = sequence
    self.timestamp = timestamp
    self.ssrc = ssrc
    self.isMarked = isMarked
  }

  /// Clears a buffer, keeping its storage, and writes the header into the buffer.
  public func begin(in buffer: inout [UInt8]) {
    buffer.removeAll(keepingCapacity: true)
    append(to: &buffer, flags: 0x80)
  }

  /// Clears a buffer and writes the header with extensions in the one-byte form (RFC 8285).
  ///
  /// - Parameter extensions: Appends items by ``AudioLevel/append(to:id:)`` or
  ///   ``appendExtension(_:_:to:)``, and nothing else.
  public func begin(in buffer: inout [UInt8], extensions: (inout [UInt8]) -> Void) {
    buffer.removeAll(keepingCapacity: true)
    append(to: &buffer, flags: 0x90)
    buffer.append(networkOrder: HeaderExtensionReader.oneByteProfile)
    buffer.append(networkOrder: UInt16(0))
    let start = buffer.count
    extensions(&buffer)
    while buffer.count % 4 != 0 { buffer.append(0) }
    let words = UInt16(truncatingIfNeeded: (buffer.count - start) / 4)
    buffer[start - 2] = UInt8(truncatingIfNeeded: words >> 8)
    buffer[start - 1] = UInt8(truncatingIfNeeded: words)
  }

  /// Clears a buffer, keeping its storage, and writes the header with extensions.
  public func begin(in buffer: inout [UInt8], _ extensions: HeaderExtensionBlock) {
    buffer.removeAll(keepingCapacity: true)
    append(to: &buffer, flags: 0x90)
    extensions.append(to: &buffer)
  }

  /// Appends one header extension.
  ///
  /// - Parameters:
  ///   - id: The id, 1–14.
  ///   - value: The value, 1–16 bytes.
  public static func appendExtension(_ id: UInt8, _ value: Span<UInt8>, to buffer: inout [UInt8]) {
    precondition((1...14).contains(id), "The id of a one-byte header extension is 1-14.")
    precondition((1...16).contains(value.count), "A one-byte header extension has 1-16 bytes.")
    buffer.append(id << 4 | UInt8(value.count - 1))
    buffer.append(copying: value)
  }

  private func append(to buffer: inout [UInt8], flags: UInt8) {
    buffer.append(flags)
    buffer.append((isMarked ? 0x80 : 0) | (payloadType & 0x7f))
    buffer.append(networkOrder: sequence.rawValue)
    buffer.append(networkOrder: timestamp)
    buffer.append(networkOrder: ssrc)
  }
}
