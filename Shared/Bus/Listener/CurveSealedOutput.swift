/// The sealed output that waits until the connection sends it to one peer (26/CurveZMQ).
///
/// The sealing gives each piece a number. So the connection must send a piece before it seals the
/// next piece for this peer.
struct CurveSealedOutput {
  private var bytes: [UInt8] = []

  /// The number of sent bytes.
  private var offset = 0

  /// The maximum capacity that an idle connection keeps, in bytes.
  private static let keptCapacity = 2_048

  /// The number of bytes that wait for sending.
  var count: Int { bytes.count - offset }

  var isEmpty: Bool { count == 0 }

  /// Replaces the content by the bytes that `seal` adds.
  mutating func refill(_ seal: (inout [UInt8]) -> Void) {
    precondition(isEmpty, "What was sealed must leave before more is sealed.")
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
    offset = 0
    seal(&bytes)
  }

  /// Passes the waiting bytes to `body`.
  ///
  /// - Parameter body: Returns the number of sent bytes; `nil` if the system accepted no bytes.
  /// - Returns: The result of `body`.
  mutating func send(_ body: (UnsafeRawBufferPointer) -> Int?) -> Int? {
    let sent = unsafe bytes.withUnsafeBytes { room in
      unsafe body(UnsafeRawBufferPointer(rebasing: room[offset...]))
    }
    offset += sent ?? 0
    return sent
  }
}
