/// The limit of concurrent handshakes.
///
/// One budget limits all handshakes of an owner.
public struct HandshakeBudget: Hashable, Sendable {
  /// The maximum number of concurrent handshakes.
  public let capacity: Int

  /// The number of running handshakes.
  public private(set) var running = 0

  /// - Parameter capacity: The maximum number of concurrent handshakes.
  public init(capacity: Int) { self.capacity = capacity }

  /// Takes a place for a handshake before its owner creates the handshake.
  ///
  /// - Throws: ``DTLSFailure/tooManyHandshakes`` if no place is free.
  public mutating func begin() throws(DTLSFailure) {
    guard running < capacity else { throw .tooManyHandshakes }
    running += 1
  }

  /// Frees the place of a handshake that is done or failed.
  public mutating func end() {
    precondition(running > 0, "A handshake ends once, after it began.")
    running -= 1
  }
}
