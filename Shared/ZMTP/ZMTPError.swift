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

  /// A command or its metadata cannot be read.
  case command

  /// A message, or another command than `READY`, came before the handshake was done; or a second
  /// `READY`.
  case outOfTurn

  /// The peer's socket is of a type that does not speak to this one.
  case socketType(String)

  /// The peer refused this side, and said why.
  case refused(String)
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
    case .command: "A command cannot be read"
    case .outOfTurn: "A frame came out of turn in the handshake"
    case .socketType(let type): "The peer's socket is of type \(type)"
    case .refused(let reason): "The peer refused the connection: \(reason)"
    }
  }
}
