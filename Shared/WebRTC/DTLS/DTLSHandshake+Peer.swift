/// What a DTLS handshake asks of its owner after a datagram or a deadline. Its datagrams have at
/// most 1,200 bytes each.
public typealias DTLSStep = HandshakeStep<DTLSAssociation, DTLSFailure>

/// How far a DTLS handshake is.
public typealias DTLSOutcome = DTLSStep.Outcome

extension DTLSHandshake: PeerHandshake {}
