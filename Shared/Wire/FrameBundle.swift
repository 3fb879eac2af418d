/// Frames for one peer that leave in one message: an empty header, and behind it each frame with
/// its length before it.
///
/// `proto/README.md` §3 has the form. What a peer makes in one turn of its loop costs one call of
/// the system that way. A bundle of one frame is that frame alone.
public struct FrameBundle {
  /// The most frames of a bundle.
  public static let mostFrames = 64

  /// How many frames there are.
  public private(set) var count = 0

  /// The frames, each behind its length, behind an empty header.
  private var bytes: [UInt8] = []

  /// Where the first frame begins.
  private var start = 0

  /// A bundle without a frame.
  public init() {}

  /// How many bytes it has.
  public var byteCount: Int { bytes.count }

  /// Adds a frame.
  public mutating func append(_ frame: borrowing PreparedFrame) {
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

  /// Lends the message that has all frames.
  public func withMessage<R>(_ body: (RawSpan) -> R) -> R {
    precondition(count > 0, "A message has a frame.")
    let first = count == 1 ? start : 0
    return unsafe bytes.withUnsafeBytes { all in
      body(unsafe UnsafeRawBufferPointer(rebasing: all[first...]).bytes)
    }
  }

  /// Forgets the frames, and keeps the room that they took.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Finds the frames of a message, one after the other: those of a bundle, or the one that the
  /// message is.
  ///
  /// It has the places of bytes and not the bytes, so that a reader may hold on to the message.
  public struct Reader {
    private var rest: Range<Int>
    private let isBundle: Bool

    /// - Throws: ``WireError`` for a message that begins with the length of no header, and for a
    ///   bundle that is not one as a whole. What is in its frames is not looked at.
    public init(_ message: RawSpan) throws(WireError) {
      let (length, start) = try Varint.read(message)
      isBundle = length == 0
      rest = (isBundle ? start : 0)..<message.byteCount
      if isBundle { try check(message) }
    }

    private func check(_ message: RawSpan) throws(WireError) {
      guard !rest.isEmpty else { throw .malformedBundle }
      var rest = rest
      for _ in 0..<FrameBundle.mostFrames {
        guard let frame = try Self.first(of: rest, in: message) else { return }
        guard try Varint.read(message.extracting(frame)).value > 0 else { throw .malformedBundle }
        rest = frame.upperBound..<rest.upperBound
      }
      guard rest.isEmpty else { throw .malformedBundle }
    }

    /// Where the next frame is; `nil` behind the last one.
    ///
    /// - Parameter message: The one that the reader was made of.
    public mutating func next(in message: RawSpan) -> Range<Int>? {
      let frame = isBundle ? try? Self.first(of: rest, in: message) : rest
      guard let frame, !frame.isEmpty else { return nil }
      rest = frame.upperBound..<rest.upperBound
      return frame
    }

    /// Where the first frame behind its length is; `nil` where there is none.
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
