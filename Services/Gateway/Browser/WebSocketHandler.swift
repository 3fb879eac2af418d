import NIOCore
import NIOWebSocket

/// One WebSocket on its event loop.
///
/// The handler passes complete messages to a ``BrowserEventQueue``, and writes the gateway's
/// output. It makes only the decisions that RFC 6455 prescribes.
final class WebSocketHandler: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = Never
  typealias OutboundOut = ByteBuffer

  private let number: BrowserConnectionID
  private let handshake: WebSocketUpgradeRequest
  private let mailbox: BrowserEventQueue
  private var context: ChannelHandlerContext?

  /// The context to which the handler writes bytes. The bytes bypass the frame encoder, because the
  /// gateway has already encoded the output once for all of its receivers.
  private var writer: ChannelHandlerContext?
  private var message: [UInt8] = []
  private var fragments = 0

  /// The number of messages and pongs that the socket thread has not processed yet.
  private var handedOver = 0
  private var wantsRead = false
  private var isClosing = false
  private var hasUnwritten = false

  /// The maximum number of unprocessed messages. At this number, the handler stops reading.
  private static let mostHandedOver = 64

  /// The maximum number of fragments of one message.
  private static let mostFragments = 1_024

  init(
    _ number: BrowserConnectionID, _ handshake: WebSocketUpgradeRequest,
    _ mailbox: BrowserEventQueue
  ) {
    (self.number, self.handshake, self.mailbox) = (number, handshake, mailbox)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    writer = try? context.pipeline.syncOperations.context(handlerType: WebSocketFrameEncoder.self)
    mailbox.post(.opened(number, handshake, NIOLoopBound(self, eventLoop: context.eventLoop)))
  }

  func channelInactive(context: ChannelHandlerContext) {
    mailbox.post(.closed(number))
    (self.context, writer) = (nil, nil)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? NIOWebSocketError, error == .invalidFrameLength {
      return close(.messageTooBig)
    }
    close(.protocolError)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent { mailbox.post(.leaving(number)) }
    context.fireUserInboundEventTriggered(event)
  }

  // MARK: Reading

  func read(context: ChannelHandlerContext) {
    guard handedOver < Self.mostHandedOver else {
      wantsRead = true
      return
    }
    context.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    guard !isClosing else {
      // Once the client and the gateway have each sent a close frame, neither side sends more
      // frames.
      if frame.opcode == .connectionClose { context.close(promise: nil) }
      return
    }
    guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
      return close(.protocolError)
    }
    switch frame.opcode {
    case .binary where fragments == 0: append(frame)
    case .continuation where fragments > 0: append(frame)
    case .text where fragments == 0: close(.unsupportedData)
    case .ping:
      // A client that does not read the gateway's frames gets no more pongs.
      guard context.channel.isWritable else { return }
      append([WebSocketServerFrame.pong(Array(frame.unmaskedData.readableBytesView))])
      flush()
    case .pong:
      handedOver += 1
      mailbox.post(.pong(number, Array(frame.unmaskedData.readableBytesView)))
    case .connectionClose:
      close(.normal)
      context.close(promise: nil)
    default: close(.protocolError)
    }
  }

  private func append(_ frame: WebSocketFrame) {
    let data = frame.unmaskedData
    fragments += 1
    guard message.count + data.readableBytes <= SignalCodec.mostBytes else {
      return close(.messageTooBig)
    }
    guard fragments <= Self.mostFragments else { return close(.protocolError) }
    message += data.readableBytesView
    guard frame.fin else { return }
    handedOver += 1
    mailbox.post(.message(number, message))
    (message, fragments) = ([], 0)
  }

  // MARK: Writing

  /// Queues the socket thread's output for this connection. ``flush()`` writes the output.
  func take(_ output: QueuedBrowserOutput) {
    append(output.frames)
    if let code = output.close { close(code) }
    handedOver -= output.taken
    guard wantsRead, handedOver < Self.mostHandedOver else { return }
    wantsRead = false
    context?.read()
  }

  /// Writes the queued output.
  func flush() {
    guard hasUnwritten else { return }
    hasUnwritten = false
    writer?.flush()
  }

  private func append(_ frames: [ByteBuffer]) {
    guard let writer, !isClosing, !frames.isEmpty else { return }
    for frame in frames { writer.write(NIOAny(frame), promise: nil) }
    hasUnwritten = true
  }

  /// Sends a close frame. Then closes the connection when the client has closed its side, or after
  /// 2 s.
  private func close(_ code: CloseCode) {
    guard let context, !isClosing else { return }
    append([WebSocketServerFrame.close(code.rawValue)])
    flush()
    isClosing = true
    let channel = context.channel
    // The handler closes only its output, and continues to read and discard input. So the client
    // can read the close frame before the connection closes.
    channel.close(mode: .output, promise: nil)
    channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
  }
}
