public import MeetingModel
public import Wire
public import ZeroMQ

/// The server's side of a server-streaming call: items, then one end.
///
/// Call all methods of this class on the thread of the stream's server. After ``end(_:)``, the
/// methods send nothing.
public final class ServerStream<Item: WireMessage> {
  /// The request's header.
  public let header: V1.RequestHeader

  /// The connection that made the call.
  public let route: RoutingID

  /// Called once if the caller cancels before the end, or if the server stops.
  public var onCancel: (() -> Void)? {
    get { server.onCancel(of: key) }
    set { server.onCancel(of: key, call: newValue) }
  }

  private let server: RequestServer

  init(_ header: V1.RequestHeader, from route: RoutingID, at server: RequestServer) {
    self.header = header
    self.route = route
    self.server = server
  }

  var key: CallKey { CallKey(route: route, callID: header.callID) }

  /// Sends one item. Returns `false` if the stream has ended or its connection has closed.
  @discardableResult
  public func send(_ item: Item) -> Bool { server.send(item, on: key) }

  /// Sends one item followed by at most ``RawWireFrameLimit/most`` raw frames.
  ///
  /// Returns `false` if the stream has ended, or if its connection has closed or accepts no more
  /// data.
  @discardableResult
  public func send(_ item: Item, raw: [MessageFrame]) -> Bool {
    server.send(item, raw: raw, on: key)
  }

  /// Ends the stream. `nil` means that the stream ended without an error.
  public func end(_ status: Status? = nil) { server.end(key, with: status) }

  /// Detaches the stream from the server. The session then sends the items and the end of the
  /// stream without this object.
  public func detach() { server.forget(key) }
}
