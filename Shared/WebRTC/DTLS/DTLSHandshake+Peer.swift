/// The work that a DTLS handshake requires of its owner after a datagram or a deadline.
///
/// The datagrams of a step have at most 1,200 bytes each.
public typealias DTLSStep = PeerHandshakeActions<DTLSAssociation, DTLSFailure>

/// The state of a DTLS handshake.
public typealias DTLSOutcome = DTLSStep.Outcome

extension DTLSHandshake: PeerHandshake {}
