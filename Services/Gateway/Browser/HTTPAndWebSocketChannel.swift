import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOWebSocket
import ServiceHost

/// The connections of a port that serves both HTTP and WebSockets of browsers.
///
/// The first request of each connection decides between HTTP and WebSocket.
struct HTTPAndWebSocketChannel: ServerChildChannel {
  private let http: ConnectionClosingChannel<HTTP1Channel>
  private let browsers: WebSocketUpgradeSetup

  /// - Parameter http: The channel for HTTP requests.
  init(_ http: HTTP1Channel, _ browsers: WebSocketUpgradeSetup) {
    (self.http, self.browsers) = (ConnectionClosingChannel(http), browsers)
  }

  /// A connection whose first request has not arrived yet.
  struct Value: ServerChildChannelValue {
    let channel: any Channel
    let kind: EventLoopFuture<Kind>
  }

  enum Kind: Sendable {
    case http(ConnectionClosingChannel<HTTP1Channel>.Value)
    /// A WebSocket, which needs no task, or a connection that closed before its first request.
    case other
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    let promise = channel.eventLoop.makePromise(of: Kind.self)
    let (http, browsers) = (http, browsers)
    let first = FirstBytes(
      promise, timeout: browsers.timeout,
      http: { http.setup(channel: channel, logger: logger) },
      webSocket: { try browsers.setup(channel) })
    return channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(first)
      return Value(channel: channel, kind: promise.futureResult)
    }
  }

  func handle(value: Value, logger: Logger) async {
    let kind = await withTaskCancellationHandler {
      try? await value.kind.get()
    } onCancel: {
      value.channel.close(promise: nil)
    }
    guard let kind else { return }
    switch kind {
    case .http(let connection): await http.handle(value: connection, logger: logger)
    case .other:
      await withTaskCancellationHandler {
        try? await value.channel.closeFuture.get()
      } onCancel: {
        value.channel.close(promise: nil)
      }
    }
  }
}

/// Reads the first bytes of a connection, and adds the handlers for the connection's protocol.
private final class FirstBytes: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let promise: EventLoopPromise<HTTPAndWebSocketChannel.Kind>
  private let timeout: TimeAmount
  private let http: () -> EventLoopFuture<ConnectionClosingChannel<HTTP1Channel>.Value>
  private let webSocket: () throws -> Void
  private var bytes = ByteBuffer()
  private var deadline: Scheduled<Void>?
  private var isDecided = false

  private static let start = Array("GET \(WebSocketUpgradeRequest.path)".utf8)

  init(
    _ promise: EventLoopPromise<HTTPAndWebSocketChannel.Kind>, timeout: TimeAmount,
    http: @escaping () -> EventLoopFuture<ConnectionClosingChannel<HTTP1Channel>.Value>,
    webSocket: @escaping () throws -> Void
  ) {
    (self.promise, self.timeout) = (promise, timeout)
    (self.http, self.webSocket) = (http, webSocket)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isDecided else { return context.fireChannelRead(data) }
    var more = unwrapInboundIn(data)
    bytes.writeBuffer(&more)
    let known = bytes.readableBytesView.prefix(Self.start.count)
    if known.elementsEqual(Self.start) { return decide(context) { try beWebSocket() } }
    guard !Self.start.starts(with: known) else { return }
    decide(context) { beHTTP() }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if isDecided { context.fireChannelReadComplete() } else { context.read() }
  }

  /// When the server stops, closes a connection whose first request has not arrived.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent, !isDecided { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    if !isDecided { promise.succeed(.other) }
    isDecided = true
    context.fireChannelInactive()
  }

  private func decide(_ context: ChannelHandlerContext, _ body: () throws -> Void) {
    isDecided = true
    deadline?.cancel()
    do { try body() } catch {
      promise.succeed(.other)
      return context.close(promise: nil)
    }
    context.fireChannelRead(wrapInboundOut(bytes))
    bytes = ByteBuffer()
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }

  private func beHTTP() { http().map { .http($0) }.cascade(to: promise) }

  private func beWebSocket() throws {
    try webSocket()
    promise.succeed(.other)
  }
}
