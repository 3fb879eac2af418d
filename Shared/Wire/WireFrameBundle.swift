/// Several frames for one peer, packed into one message: an empty header, then for each frame its
/// length and its bytes.
///
/// `proto/README.md` §3 defines the format. With a bundle, all frames of one turn of an event loop
/// cost one system call. If a bundle has only one frame, the sender sends this frame alone as the
/// message.
public struct WireFrameBundle {
  /// The maximum number of frames in a bundle.
  public static let mostFrames = 64

  /// The number of frames.
  public private(set) var count = 0

  /// The empty header, then the length and the bytes of each frame.
  private var bytes: [UInt8] = []

  /// The offset of the first frame in ``bytes``, after the frame's length.
  private var start = 0

  /// Creates an empty bundle.
  public init() {}

  /// The size of the bundle in bytes.
  public var byteCount: Int { bytes.count }

  /// Appends a frame; the bundle must have fewer than ``mostFrames``.
  public mutating func append(_ frame: borrowing ArenaWireFrame) {
    precondition(count < Self.mostFrames, "A bundle has at most \(Self.mostFrames) frames.")
    let prefix = Varint.count(frame.count)
    if count == 0 {
      bytes.append(0)
      start = 1 + prefix
    }
    let end = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: prefix + frame.count))
    unsafe bytes.withUnsafeMutableBufferPointer { room in
      unsafe Varint.write(frame.count, to: .init(rebasing: room[end...]))
      _ = unsafe frame.write(to: .init(rebasing: room[(end + prefix)...]))
    }
    count += 1
  }

  /// Passes the message that contains all frames to `body`. The bundle must not be empty.
  public func withMessage<R>(_ body: (RawSpan) -> R) -> R {
    precondition(count > 0, "A message has a frame.")
    let first = count == 1 ? start : 0
    return unsafe bytes.withUnsafeBytes { all in
      body(unsafe UnsafeRawBufferPointer(rebasing: all[first...]).bytes)
    }
  }

  /// Removes the frames and keeps the allocated memory.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Finds the frames of a message one after the other. A message that is not a bundle is one
  /// frame.
  ///
  /// The reader stores no bytes, only byte ranges. So the same object can store the reader and the
  /// message.
  public struct Reader {
    private var rest: Range<Int>
    private let isBundle: Bool

    /// Creates a reader, and checks the framing of the whole message if the message is a bundle.
    ///
    /// - Throws: ``WireError`` if the message does not begin with the length of a header, or if the
    ///   message is a malformed bundle. The reader does not check the content of the frames.
    public init(_ message: RawSpan) throws(WireError) {
      let (length, start) = try Varint.read(message)
      isBundle = length == 0
      rest = (isBundle ? start : 0)..<message.byteCount
      if isBundle { try check(message) }
    }

    private func check(_ message: RawSpan) throws(WireError) {
      guard !rest.isEmpty else { throw .malformedBundle }
      var rest = rest
      for _ in 0..<WireFrameBundle.mostFrames {
        guard let frame = try Self.first(of: rest, in: message) else { return }
        guard try Varint.read(message.extracting(frame)).value > 0 else { throw .malformedBundle }
        rest = frame.upperBound..<rest.upperBound
      }
      guard rest.isEmpty else { throw .malformedBundle }
    }

    /// Returns the byte range of the next frame, or `nil` after the last frame.
    ///
    /// - Parameter message: The message with which the caller created the reader.
    public mutating func next(in message: RawSpan) -> Range<Int>? {
      let frame = isBundle ? try? Self.first(of: rest, in: message) : rest
      guard let frame, !frame.isEmpty else { return nil }
      rest = frame.upperBound..<rest.upperBound
      return frame
    }

    /// Returns the byte range of the first frame in `rest`, without the frame's length; `nil` if
    /// `rest` is empty.
    private static func first(
      of rest: Range<Int>, in message: RawSpan
    ) throws(WireError) -> Range<Int>? {
      guard !rest.isEmpty else { return nil }
      let (length, size) = try Varint.read(message.extracting(rest))
      let start = rest.lowerBound + size
      guard Int(length) <= rest.upperBound - start else { throw .truncated }
      return start..<start + Int(length)
    }
  }
}
