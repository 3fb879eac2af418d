/// Output that was sealed for one peer and has not left (26/CurveZMQ).
///
/// Each piece is numbered when it is sealed, so it must leave before anything else is sealed for
/// this peer.
struct SealedOutput {
  private var bytes: [UInt8] = []

  /// Bytes that have left.
  private var offset = 0

  /// The most capacity that an idle connection keeps, in bytes.
  private static let keptCapacity = 2_048

  /// The number of bytes that have not left.
  var count: Int { bytes.count - offset }

  var isEmpty: Bool { count == 0 }

  /// Starts again with the bytes that `seal` adds.
  mutating func refill(_ seal: (inout [UInt8]) -> Void) {
    precondition(isEmpty, "What was sealed must leave before more is sealed.")
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
    offset = 0
    seal(&bytes)
  }

  /// Passes the waiting bytes to `body`.
  ///
  /// - Parameter body: Returns the number of bytes that have left; `nil` for none.
  /// - Returns: The result of `body`.
  mutating func send(_ body: (UnsafeRawBufferPointer) -> Int?) -> Int? {
    let sent = unsafe bytes.withUnsafeBytes { room in
      unsafe body(UnsafeRawBufferPointer(rebasing: room[offset...]))
    }
    offset += sent ?? 0
    return sent
  }
}
