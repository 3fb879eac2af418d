public import MeetingModel
public import Wire

/// A unary call that waits for its one answer.
///
/// Lives on its server's thread, which knows what is open: copies are the same call, and none costs
/// memory of its own. Answering twice does nothing the second time, so a handler may race a
/// deadline. A call that is let go unanswered is answered `deadlineExceeded` when its time is up.
public struct Call<Reply: WireMessage> {
  /// What the caller said beside its request.
  public let header: V1.RequestHeader

  /// Which connection asked.
  public let route: Route

  /// Called once if the caller gives up or its deadline passes before the answer. The server keeps
  /// it until then, so that a handler need not keep the call.
  public var onCancel: (() -> Void)? {
    get { server.onCancel(of: key) }
    nonmutating set { server.onCancel(of: key, call: newValue) }
  }

  private let server: RequestServer

  init(_ header: V1.RequestHeader, from route: Route, at server: RequestServer) {
    self.header = header
    self.route = route
    self.server = server
  }

  var key: CallKey { CallKey(route: route, callID: header.callID) }

  /// Answers with a reply.
  public func reply(_ reply: Reply) { server.finish(key, with: reply) }

  /// Answers with what went wrong.
  public func fail(_ status: Status) { server.finish(key, with: status) }

  /// Answers with either.
  public func answer(_ result: Result<Reply, Status>) {
    switch result {
    case .success(let answer): reply(answer)
    case .failure(let status): fail(status)
    }
  }

  /// Answers with what `work` returns, or the status of what it throws.
  ///
  /// Does work that suspends. It begins on the server's thread and comes back to it; the server
  /// owns the task, cancels it with the call and awaits it when it drains. Once per call; while the
  /// task runs it counts as an open call of its peer, even after the answer.
  public func perform(_ work: @escaping @Sendable () async throws -> Reply) {
    server.perform(work, answering: key)
  }
}

/// Which call of which connection.
struct CallKey: Hashable {
  let route: Route
  let callID: UInt64
}
