/// The handshake that secures a peer's media, driven by ``WebRTCPeer``.
///
/// A handshake does no I/O and has no clock. The peer passes in datagrams and the time, and each
/// call returns the work to do. The peer passes in datagrams only from addresses that ICE has
/// validated, and sends the handshake's datagrams only to these addresses.
public protocol PeerHandshake<Association> {
  /// The result of a completed handshake: profile and keys.
  associatedtype Association

  /// The reason why a handshake fails.
  associatedtype Failure: Hashable, Sendable

  /// Reads a datagram of the peer, during the handshake and after it.
  mutating func receive(
    _ datagram: [UInt8], at now: ContinuousClock.Instant
  ) -> PeerHandshakeActions<Association, Failure>

  /// Begins a client's handshake, retransmits a lost flight, or gives up.
  ///
  /// The peer calls this method at the deadline that the last call returned.
  mutating func poll(at now: ContinuousClock.Instant) -> PeerHandshakeActions<Association, Failure>

  /// Ends the association and notifies the peer.
  mutating func close(at now: ContinuousClock.Instant) -> PeerHandshakeActions<Association, Failure>
}

/// The work that a handshake requires of its peer after a datagram or a deadline.
public struct PeerHandshakeActions<Association, Failure: Hashable & Sendable> {
  /// The state of the handshake.
  public enum Outcome {
    /// The handshake is still running.
    case running
    /// Both ends have the same keys.
    case done(Association)
    /// The handshake cannot complete.
    case failed(Failure)
    /// The association ended, because one end closed it.
    case closed
  }

  /// Datagrams to send, in this order.
  public let datagrams: [[UInt8]]

  /// The time of the next poll, unless a datagram arrives earlier; `nil` if the handshake needs no
  /// poll.
  public let deadline: ContinuousClock.Instant?

  /// The state of the handshake.
  public let outcome: Outcome

  /// - Parameters:
  ///   - datagrams: Datagrams to send, in this order.
  ///   - deadline: The time of the next poll; `nil` if the handshake needs no poll.
  ///   - outcome: The state of the handshake.
  public init(
    datagrams: [[UInt8]], deadline: ContinuousClock.Instant?, outcome: Outcome
  ) {
    (self.datagrams, self.deadline, self.outcome) = (datagrams, deadline, outcome)
  }
}

extension PeerHandshakeActions.Outcome: Equatable where Association: Equatable {}
extension PeerHandshakeActions.Outcome: Hashable where Association: Hashable {}
extension PeerHandshakeActions.Outcome: Sendable where Association: Sendable {}
extension PeerHandshakeActions: Sendable where Association: Sendable {}
