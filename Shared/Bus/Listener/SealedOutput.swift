/// What was sealed for one peer and has not left (26/CurveZMQ). Each piece is numbered when it is
/// sealed, so that it leaves before anything else is sealed for this peer.
struct SealedOutput {
  private var bytes: [UInt8] = []

  /// Bytes that have left.
  private var offset = 0

  /// Room that stays with an idle connection.
  private static let keptCapacity = 2_048

  /// Bytes that wait.
  var count: Int { bytes.count - offset }

  var isEmpty: Bool { count == 0 }

  /// Begins anew with what `seal` adds.
  mutating func refill(_ seal: (inout [UInt8]) -> Void) {
    precondition(isEmpty, "What was sealed must leave before more is sealed.")
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
    offset = 0
    seal(&bytes)
  }

  /// Lends what waits.
  ///
  /// - Parameter body: How many of the bytes have left; `nil` for none.
  /// - Returns: The same.
  mutating func send(_ body: (UnsafeRawBufferPointer) -> Int?) -> Int? {
    let sent = unsafe bytes.withUnsafeBytes { room in
      unsafe body(UnsafeRawBufferPointer(rebasing: room[offset...]))
    }
    offset += sent ?? 0
    return sent
  }
}
