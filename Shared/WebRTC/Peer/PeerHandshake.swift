/// The handshake that secures a peer's media, as ``WebRTCPeer`` drives it.
///
/// It does no I/O and has no clock: datagrams and the time go in, and each call says what to do.
/// The peer passes on datagrams only from addresses that ICE has proven, and sends the handshake's
/// datagrams to such addresses alone.
public protocol PeerHandshake<Association> {
  /// What a completed handshake agreed on: profile and keys.
  associatedtype Association

  /// Why a handshake fails.
  associatedtype Failure: Hashable, Sendable

  /// Reads a datagram of the peer, during the handshake and after it.
  mutating func receive(
    _ datagram: [UInt8], at now: ContinuousClock.Instant
  ) -> HandshakeStep<Association, Failure>

  /// Begins a client's handshake, sends a lost flight again, or gives up. Due at the deadline of
  /// the last step.
  mutating func poll(at now: ContinuousClock.Instant) -> HandshakeStep<Association, Failure>

  /// Ends the association and tells the peer so.
  mutating func close(at now: ContinuousClock.Instant) -> HandshakeStep<Association, Failure>
}

/// What a handshake asks of its peer after a datagram or a deadline.
public struct HandshakeStep<Association, Failure: Hashable & Sendable> {
  /// How far the handshake is.
  public enum Outcome {
    /// It goes on.
    case running
    /// Both ends have the same keys.
    case done(Association)
    /// It cannot complete.
    case failed(Failure)
    /// The association ended, because one end said so.
    case closed
  }

  /// Datagrams to send, in this order.
  public let datagrams: [[UInt8]]

  /// When to poll next, unless a datagram arrives before; `nil` if no poll is needed.
  public let deadline: ContinuousClock.Instant?

  /// How far the handshake is.
  public let outcome: Outcome

  /// - Parameters:
  ///   - datagrams: Datagrams to send, in this order.
  ///   - deadline: When to poll next; `nil` if no poll is needed.
  ///   - outcome: How far the handshake is.
  public init(
    datagrams: [[UInt8]], deadline: ContinuousClock.Instant?, outcome: Outcome
  ) {
    (self.datagrams, self.deadline, self.outcome) = (datagrams, deadline, outcome)
  }
}

extension HandshakeStep.Outcome: Equatable where Association: Equatable {}
extension HandshakeStep.Outcome: Hashable where Association: Hashable {}
extension HandshakeStep.Outcome: Sendable where Association: Sendable {}
extension HandshakeStep: Sendable where Association: Sendable {}
