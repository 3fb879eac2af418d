public import HummingbirdCore
public import Logging
public import NIOCore
internal import Synchronization

/// A channel of HTTP/1.1 connections. The channel closes connections that the server accepts but
/// never handles.
///
/// A stopping server releases connections that it accepted but has not handled. swift-nio stops the
/// process at the release of an unread `NIOAsyncChannel` ("Deinited NIOAsyncWriter without calling
/// finish()", swift-nio 2, hummingbird 2). So this channel closes unhandled connections first.
public struct ConnectionClosingChannel<Base: ServerChildChannel>: ServerChildChannel
where Base.Value == HTTP1Channel.Value {
  private let base: Base

  /// - Parameter base: The channel that sets up and handles connections.
  public init(_ base: Base) { self.base = base }

  /// A connection that the channel closes unless the server handles the connection.
  public final class Value: ServerChildChannelValue {
    private let connection: HTTP1Channel.Value
    private let isHandled = Atomic(false)

    fileprivate init(_ connection: HTTP1Channel.Value) { self.connection = connection }

    /// The connection.
    public var channel: any Channel { connection.channel }

    fileprivate func take() -> HTTP1Channel.Value {
      isHandled.store(true, ordering: .relaxed)
      return connection
    }

    deinit {
      guard !isHandled.load(ordering: .relaxed) else { return }
      Task { [connection] in try? await connection.executeThenClose { _, _ in } }
    }
  }

  /// Sets an accepted connection up.
  public func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    base.setup(channel: channel, logger: logger).map { Value($0) }
  }

  /// Answers requests on a connection until the connection ends.
  public func handle(value: Value, logger: Logger) async {
    await base.handle(value: value.take(), logger: logger)
  }
}
