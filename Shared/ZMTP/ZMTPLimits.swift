/// What one side of a ZMTP connection takes from the other, at most.
///
/// libzmq bounds the size of a frame alone: what a peer sends of a message that never ends stays in
/// memory. Here nothing that was not asked for outgrows these numbers.
public struct ZMTPLimits: Hashable, Sendable {
  /// Bytes in one frame of a message.
  public var frameBytes: Int

  /// Bytes in all frames of one message together.
  public var messageBytes: Int

  /// Frames of one message.
  public var messageFrames: Int

  /// Bytes in one command, the handshake's `READY` with its metadata among them.
  public var commandBytes: Int

  /// Commands in one call of ``ZMTPConnection/receive(_:_:)``, once the handshake is done.
  public var commandsPerRead: Int

  /// Makes limits.
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
