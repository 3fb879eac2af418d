/// The reason why a connection rejects a peer's bytes. After this error, the connection reads
/// nothing from the peer.
public enum ZMTPError: Error, Hashable, Sendable {
  /// The first ten bytes are not the signature of ZMTP.
  case signature

  /// The peer uses a version before 3.
  case version(major: UInt8)

  /// The peer requests another security mechanism, with this name.
  case mechanism(String)

  /// A frame has unknown flags, or a command has the "more" flag.
  case flags(UInt8)

  /// A frame is larger than ``ZMTPLimits/frameBytes``, or a command is larger than
  /// ``ZMTPLimits/commandBytes``.
  case frameSize

  /// A message is larger than ``ZMTPLimits/messageBytes``.
  case messageSize

  /// A message has more frames than ``ZMTPLimits/messageFrames``.
  case messageFrames

  /// The peer sent more commands in the bytes of one read than ``ZMTPLimits/commandsPerRead``.
  case commands

  /// A command or its metadata is malformed.
  case command

  /// A message or command arrived in the wrong state.
  ///
  /// During the handshake, this case covers everything except the handshake's next command. After
  /// the handshake, this case covers commands of the handshake and, under CURVE, unsealed frames.
  case outOfTurn

  /// This side cannot open a box of a CURVE peer.
  case box(UnopenedCurveBox)

  /// The nonce of a CURVE peer does not exceed the previous nonce, so somebody has replayed or
  /// reordered the frame.
  case nonce

  /// A CURVE client has proved its key, but this server does not admit the key.
  case unwelcome(CurvePublicKey)

  /// The type of the peer's socket does not fit the type of this side's socket.
  case socketType(String)

  /// The peer refused this side, with a reason.
  case refused(String)

  /// The box that this side cannot open, by the command that contains the box (26/CurveZMQ). The
  /// comment of each case describes the cause.
  public enum UnopenedCurveBox: Hashable, Sendable {
    /// The client uses a wrong public key for the server.
    case hello
    /// The server does not own the expected key.
    case welcome
    /// `INITIATE` does not answer this connection's `WELCOME`.
    case cookie
    /// The client does not own the transient key of its `HELLO`.
    case initiate
    /// The client does not own the key that it presents.
    case vouch
    /// Somebody changed the server's `READY` in transit.
    case ready
    /// A message or command is from another sender, or somebody changed the message or command in
    /// transit.
    case message
  }
}

extension ZMTPError: CustomStringConvertible {
  /// The reason, as a sentence without a full stop.
  public var description: String {
    switch self {
    case .signature: "The peer does not speak ZMTP"
    case .version(let major):
      "The peer speaks ZMTP \(major), which is older than the oldest supported version, 3.0"
    case .mechanism(let name): "The peer uses another security mechanism, \(name)"
    case .flags(let flags): "A frame has the invalid flags \(flags)"
    case .frameSize: "A frame is too large"
    case .messageSize: "A message is too large"
    case .messageFrames: "A message has too many frames"
    case .commands: "The peer sent too many commands at once"
    case .command: "The peer sent a malformed command"
    case .outOfTurn: "The peer sent a frame in the wrong state of the handshake"
    case .box(let box): "\(box.name) cannot be opened: \(box.cause)"
    case .nonce: "The peer repeated a nonce, or sent nonces out of order"
    case .unwelcome(let key): "The client's key \(key) is not allowed here"
    case .socketType(let type): "The peer's socket has the unsuitable type \(type)"
    case .refused(let reason): "The peer refused the connection: \(reason)"
    }
  }
}

extension ZMTPError.UnopenedCurveBox {
  fileprivate var name: String {
    switch self {
    case .hello: "HELLO"
    case .welcome: "WELCOME"
    case .cookie: "The cookie of INITIATE"
    case .initiate: "INITIATE"
    case .vouch: "The vouch of INITIATE"
    case .ready: "READY"
    case .message: "MESSAGE"
    }
  }

  fileprivate var cause: String {
    switch self {
    case .hello: "the client has another key for this server"
    case .welcome: "the server is not the owner of the key that the client has for it"
    case .cookie: "it was made for another connection, or changed on its way"
    case .vouch: "the client does not own its key"
    case .initiate, .ready, .message: "it was changed on its way"
    }
  }
}
