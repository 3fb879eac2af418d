/// The output that a connection has not accepted yet, in order.
///
/// The queue stores messages to several peers by reference, so a slow reader costs only a few bytes
/// for each message. The queue copies the bytes of messages to a single peer.
struct OutgoingQueue {
  private enum Piece {
    case shared(ZMTPFramedMessage)
    case own([UInt8])

    var bytes: [UInt8] {
      switch self {
      case .shared(let message): message.bytes
      case .own(let bytes): bytes
      }
    }
  }

  private var pieces: [Piece] = []

  /// The queue has sent the pieces before this index.
  private var first = 0

  /// The number of sent bytes of the first piece.
  private var offset = 0

  /// The buffer of a sent piece, for reuse.
  private var spare: [UInt8] = []

  /// The number of queued bytes.
  private(set) var count = 0

  /// The part of ``count`` that only this connection stores, in bytes.
  private(set) var ownCount = 0

  /// The size at which a new piece begins, in bytes.
  ///
  /// Pieces are small, because the queue keeps a piece until the connection has accepted all bytes
  /// of the piece.
  private static let pieceSize = 16_384

  var isEmpty: Bool { count == 0 }

  mutating func append(_ message: ZMTPFramedMessage) {
    pieces.append(.shared(message))
    count += message.bytes.count
  }

  /// Queues the bytes that `write` appends for this peer.
  mutating func appendOwn(_ write: (inout [UInt8]) -> Void) {
    var bytes: [UInt8] = []
    // An append to an array that `pieces` also references would copy the array. So this code
    // removes the last piece before `write` appends to this piece.
    if pieces.count > first, case .own(let last) = pieces[pieces.count - 1],
      last.count < Self.pieceSize
    {
      bytes = last
      pieces.removeLast()
    } else {
      swap(&bytes, &spare)
    }
    let before = bytes.count
    write(&bytes)
    let added = bytes.count - before
    pieces.append(.own(bytes))
    count += added
    ownCount += added
  }

  /// Passes the next bytes to `body` in one block of at most `capacity` bytes. If the first piece
  /// has at least `capacity` bytes, or is the only piece, `body` gets this piece.
  ///
  /// - Parameter room: A buffer in which this method joins several pieces.
  /// - Returns: The result of `body`: the number of sent bytes; `nil` if the system accepted no
  ///   bytes.
  mutating func send(
    through room: inout [UInt8], upTo capacity: Int,
    _ body: (UnsafeRawBufferPointer) -> Int?
  ) -> Int? {
    guard first < pieces.count else { return nil }
    let sent: Int?
    let front = pieces[first].bytes
    if first + 1 == pieces.count || front.count - offset >= capacity {
      let offset = offset
      sent = unsafe front.withUnsafeBytes { bytes in
        unsafe body(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
      }
    } else {
      gather(into: &room, upTo: capacity)
      sent = unsafe room.withUnsafeBytes { unsafe body($0) }
    }
    if let sent { drop(sent) }
    return sent
  }

  /// Passes the next whole messages to `body`, which rewrites the messages for the peer.
  ///
  /// - Parameter body: Returns the number of bytes that `body` read. The queue removes these bytes.
  mutating func take(_ body: (Span<UInt8>) -> Int) {
    guard first < pieces.count else { return }
    let front = pieces[first].bytes
    drop(body(front.span.extracting(offset..<front.count)))
  }

  private func gather(into room: inout [UInt8], upTo capacity: Int) {
    room.removeAll(keepingCapacity: true)
    var skipped = offset
    for piece in pieces[first...] {
      let bytes = piece.bytes
      guard room.isEmpty || room.count + bytes.count - skipped <= capacity else { return }
      room += bytes[skipped...]
      skipped = 0
    }
  }

  private mutating func drop(_ sent: Int) {
    count -= sent
    var left = sent
    while left > 0 {
      let size = pieces[first].bytes.count - offset
      let isOwn = if case .own = pieces[first] { true } else { false }
      if isOwn { ownCount -= min(left, size) }
      guard left >= size else {
        offset += left
        break
      }
      left -= size
      offset = 0
      first += 1
    }
    if first == pieces.count {
      // An idle connection keeps a small buffer.
      if case .own(var bytes) = pieces.removeLast(), bytes.capacity <= Self.spareSize {
        bytes.removeAll(keepingCapacity: true)
        spare = bytes
      }
      pieces.removeAll(keepingCapacity: pieces.capacity <= Self.keptCapacity)
      first = 0
    } else if first >= Self.compactedAfter, first * 2 >= pieces.count {
      pieces.removeFirst(first)
      first = 0
    }
  }

  private static let keptCapacity = 4
  private static let spareSize = 2_048
  private static let compactedAfter = 64

  /// Empties the queue.
  mutating func removeAll() { self = OutgoingQueue() }
}
