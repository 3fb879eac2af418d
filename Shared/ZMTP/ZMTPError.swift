/// Why a peer's bytes are no ZMTP connection, or none that is welcome. Nothing more is read of it.
public enum ZMTPError: Error, Hashable, Sendable {
  /// The first ten bytes are not ZMTP's.
  case signature

  /// The peer speaks a version before 3.
  case version(major: UInt8)

  /// The peer wants another security mechanism, with this name.
  case mechanism(String)

  /// A frame's flags have bits that mean nothing, or a command that says more follows.
  case flags(UInt8)

  /// A frame is larger than ``ZMTPLimits/frameBytes``; a command than
  /// ``ZMTPLimits/commandBytes``.
  case frameSize

  /// A message is larger than ``ZMTPLimits/messageBytes``.
  case messageSize

  /// A message has more frames than ``ZMTPLimits/messageFrames``.
  case messageFrames

  /// More commands came at once than ``ZMTPLimits/commandsPerRead``.
  case commands

  /// A command or its metadata cannot be read.
  case command

  /// A message, or another command than the handshake's next one, came before the handshake was
  /// done; or one of the handshake's came again. Under CURVE, also what is not sealed and comes
  /// later.
  case outOfTurn

  /// What a CURVE peer sealed cannot be opened.
  case box(Box)

  /// A CURVE peer's nonce is not beyond the one before: it was sent again, or out of order.
  case nonce

  /// A CURVE client has proved who it is, and is not welcome.
  case unwelcome(CurvePublicKey)

  /// The peer's socket is of a type that does not speak to this one.
  case socketType(String)

  /// The peer refused this side, and said why.
  case refused(String)

  /// What is sealed in the commands of CURVE (26/CurveZMQ).
  public enum Box: Hashable, Sendable {
    /// The client has another key of the server than the server's own.
    case hello
    /// The server is not the one that owns the key.
    case welcome
    /// `INITIATE` does not answer this connection's `WELCOME`.
    case cookie
    /// The client does not own the transient key of its `HELLO`.
    case initiate
    /// The client does not own the key that it says it has.
    case vouch
    /// The server's last word of the handshake was changed on its way.
    case ready
    /// A message or a command was changed on its way, or comes from somebody else.
    case message
  }
}

extension ZMTPError: CustomStringConvertible {
  /// A sentence without its full stop.
  public var description: String {
    switch self {
    case .signature: "The bytes do not begin as ZMTP does"
    case .version(let major): "The peer speaks ZMTP \(major); 3.0 is the oldest that is spoken here"
    case .mechanism(let name): "The peer wants the mechanism \(name)"
    case .flags(let flags): "A frame has the flags \(flags)"
    case .frameSize: "A frame is too large"
    case .messageSize: "A message is too large"
    case .messageFrames: "A message has too many frames"
    case .commands: "Too many commands came at once"
    case .command: "A command cannot be read"
    case .outOfTurn: "A frame came out of turn"
    case .box(let box): "\(box.name) cannot be opened: \(box.cause)"
    case .nonce: "A nonce came again, or out of order"
    case .unwelcome(let key): "The client with the key \(key) is not welcome"
    case .socketType(let type): "The peer's socket is of type \(type)"
    case .refused(let reason): "The peer refused the connection: \(reason)"
    }
  }
}

extension ZMTPError.Box {
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
