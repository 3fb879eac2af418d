import NIOCore
import NIOHTTP1
import NIOWebSocket
import ServiceHost

/// The setup that upgrades a browser's connection to a WebSocket.
struct WebSocketUpgradeSetup: Sendable {
  let mailbox: BrowserEventQueue
  let origins: OriginPolicy
  let metrics: BrowserConnectionMetrics

  /// How long a client may take to send its upgrade request.
  let timeout: TimeAmount

  /// Adds the handlers for a WebSocket upgrade to a connection.
  func setup(_ channel: any Channel) throws {
    let (mailbox, origins) = (mailbox, origins)
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: SignalCodec.mostBytes, automaticErrorHandling: false,
      shouldUpgrade: { channel, head in
        channel.eventLoop.makeCompletedFuture {
          guard let handshake = try? Self.handshake(head, origins) else { return nil }
          var headers = HTTPHeaders()
          if let chosen = handshake.chosenProtocol {
            headers.add(name: "Sec-WebSocket-Protocol", value: chosen)
          }
          return headers
        }
      },
      upgradePipelineHandler: { channel, head in
        channel.eventLoop.makeCompletedFuture {
          let handshake = try Self.handshake(head, origins)
          let pipeline = channel.pipeline.syncOperations
          let refusal = try pipeline.context(handlerType: UpgradeRefusal.self)
          pipeline.removeHandler(context: refusal, promise: nil)
          try pipeline.addHandler(WebSocketHandler(mailbox.makeNumber(), handshake, mailbox))
        }
      })
    try channel.pipeline.syncOperations.configureHTTPServerPipeline(
      withPipeliningAssistance: false,
      withServerUpgrade: ([upgrader], { _ in }), withErrorHandling: true)
    try channel.pipeline.syncOperations.addHandler(
      UpgradeRefusal(origins, counting: metrics, within: timeout))
  }

  private static func handshake(
    _ head: HTTPRequestHead, _ origins: OriginPolicy
  ) throws(WebSocketUpgradeRequest.Refusal) -> WebSocketUpgradeRequest {
    try WebSocketUpgradeRequest(
      target: head.uri, headers: head.headers.map { ($0.name, $0.value) }, origins: origins)
  }

  /// Answers a request that is not a valid WebSocket upgrade, and closes the connection.
  private final class UpgradeRefusal: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let origins: OriginPolicy
    private let metrics: BrowserConnectionMetrics
    private let timeout: TimeAmount
    private var deadline: Scheduled<Void>?
    private var hasAnswered = false

    init(
      _ origins: OriginPolicy, counting metrics: BrowserConnectionMetrics,
      within timeout: TimeAmount
    ) {
      (self.origins, self.metrics, self.timeout) = (origins, metrics, timeout)
    }

    func handlerAdded(context: ChannelHandlerContext) {
      let channel = context.channel
      deadline = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
      deadline?.cancel()
      context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .head(let head) = unwrapInboundIn(data), !hasAnswered else { return }
      hasAnswered = true
      metrics.refusals.increment()
      let status: HTTPResponseStatus
      do {
        _ = try WebSocketUpgradeSetup.handshake(head, origins)
        status = .upgradeRequired
      } catch {
        status =
          switch error {
          case .noSuchPath: .notFound
          case .noToken: .badRequest
          case .foreignOrigin: .forbidden
          }
      }
      var headers = HTTPHeaders([("Content-Length", "0"), ("Connection", "close")])
      if status == .upgradeRequired { headers.add(name: "Upgrade", value: "websocket") }
      let answer = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
      context.write(wrapOutboundOut(.head(answer)), promise: nil)
      let channel = context.channel
      context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
        channel.close(promise: nil)
      }
    }
  }
}
