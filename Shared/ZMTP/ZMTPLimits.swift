/// The limits of the data that one side of a ZMTP connection accepts from the other side.
///
/// libzmq limits only the size of a frame, so a message that never ends fills the memory. This
/// module limits all data that a peer can send without a request.
public struct ZMTPLimits: Hashable, Sendable {
  /// The maximum number of bytes of a frame of a message.
  public var frameBytes: Int

  /// The maximum number of bytes of all frames of a message together.
  public var messageBytes: Int

  /// The maximum number of frames of a message.
  public var messageFrames: Int

  /// The maximum number of bytes of a command, including the handshake's `READY` with its metadata.
  public var commandBytes: Int

  /// The maximum number of commands in one call of ``ZMTPConnection/receive(_:_:)``, after the
  /// handshake.
  public var commandsPerRead: Int

  /// Creates limits.
  public init(
    frameBytes: Int = 65_536, messageBytes: Int = 65_536, messageFrames: Int = 16,
    commandBytes: Int = 1_024, commandsPerRead: Int = 128
  ) {
    self.frameBytes = frameBytes
    self.messageBytes = messageBytes
    self.messageFrames = messageFrames
    self.commandBytes = commandBytes
    self.commandsPerRead = commandsPerRead
  }
}
