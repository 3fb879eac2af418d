/// The header extensions of one packet, built separately from the packet.
///
/// A caller keeps one block, and reuses the block's storage for each packet.
public struct HeaderExtensionBlock: Sendable {
  /// The form of the extensions (RFC 8285, sections 4.2 and 4.3).
  ///
  /// The two-byte form is valid only if both sides have negotiated `extmap-allow-mixed`.
  public enum Form: Hashable, Sendable {
    /// The form for values of 1–16 bytes.
    case oneByte
    case twoByte

    /// Selects the form for a value.
    ///
    /// - Parameter byteCount: The size of the longest value.
    public init(fitting byteCount: Int) { self = byteCount <= 16 ? .oneByte : .twoByte }
  }

  private var form = Form.oneByte

  /// The header that all extensions share, followed by the extensions without padding.
  private var bytes: [UInt8] = []

  /// The size of the header that all extensions share, in bytes.
  private static let headerBytes = 4

  /// The profile of the two-byte form.
  private static let twoByteProfile: UInt16 = 0x1000

  /// Creates a block without extensions.
  public init() { begin(.oneByte) }

  /// Whether the block has no extension.
  public var isEmpty: Bool { bytes.count == Self.headerBytes }

  /// The size of the extensions, including their shared header and the padding, in bytes.
  public var byteCount: Int { (bytes.count + 3) / 4 * 4 }

  /// Removes all extensions, and selects the form of the next extensions.
  public mutating func begin(_ form: Form) {
    self.form = form
    bytes.removeAll(keepingCapacity: true)
    bytes.append(
      networkOrder: form == .oneByte
        ? HeaderExtensionReader.oneByteProfile : Self.twoByteProfile)
    bytes.append(networkOrder: UInt16(0))
  }

  /// Appends an extension with a copy of a value.
  ///
  /// - Parameters:
  ///   - id: The id, 1–14.
  ///   - value: The value, 1–16 bytes in the one-byte form and 0–255 bytes in the two-byte form.
  public mutating func append(_ id: UInt8, _ value: Span<UInt8>) {
    beginItem(id, byteCount: value.count)
    bytes.append(copying: value)
  }

  /// Appends an extension whose value is a number of two bytes.
  public mutating func append(_ id: UInt8, _ value: UInt16) {
    beginItem(id, byteCount: 2)
    bytes.append(networkOrder: value)
  }

  /// Appends an extension whose value is the orientation of a picture.
  public mutating func append(_ id: UInt8, _ orientation: VideoOrientation) {
    beginItem(id, byteCount: 1)
    bytes.append(orientation.byte)
  }

  private mutating func beginItem(_ id: UInt8, byteCount: Int) {
    precondition((1...14).contains(id), "The id of a one-byte header extension is 1-14.")
    switch form {
    case .oneByte:
      precondition((1...16).contains(byteCount), "A one-byte header extension has 1-16 bytes.")
      bytes.append(id << 4 | UInt8(byteCount - 1))
    case .twoByte:
      precondition(byteCount <= 255, "A header extension has at most 255 bytes.")
      bytes.append(id)
      bytes.append(UInt8(byteCount))
    }
  }

  /// The number of 32-bit words after the shared header of the extensions.
  private var words: UInt16 { UInt16(truncatingIfNeeded: byteCount / 4 - 1) }

  /// Appends the extensions to a fixed header with the extension bit.
  func append(to buffer: inout [UInt8]) {
    let start = buffer.count
    buffer.append(copying: bytes.span)
    for _ in bytes.count..<byteCount { buffer.append(0) }
    buffer[start + 2] = UInt8(truncatingIfNeeded: words >> 8)
    buffer[start + 3] = UInt8(truncatingIfNeeded: words)
  }

  /// Inserts the extensions into a packet that has neither contributors nor header extensions.
  ///
  /// - Parameter count: The length of the packet, which starts at the first byte. The buffer needs
  ///   room for ``byteCount`` more bytes.
  /// - Returns: The new length of the packet.
  public func insert(into packet: inout MutableSpan<UInt8>, count: Int) -> Int {
    let (start, size) = (RTPPacket.smallestHeaderBytes, byteCount)
    precondition(packet.count >= count + size, "The extensions have no room.")
    for index in (start..<count).reversed() { packet[index + size] = packet[index] }
    for index in 0..<size { packet[start + index] = index < bytes.count ? bytes[index] : 0 }
    packet.set(words, at: start + 2)
    packet[0] |= 0x10
    return count + size
  }
}
