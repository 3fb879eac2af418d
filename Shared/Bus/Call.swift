public import MeetingModel
public import Wire

/// A unary call that awaits its single answer.
///
/// The server keeps the open calls on the server's thread. A `Call` is only a key to an open call.
/// All copies of a `Call` refer to the same open call, and use no memory of their own. A second
/// answer has no effect, so a handler may answer without checking whether the deadline has passed.
/// If the handler releases a call without an answer, the server answers `deadlineExceeded` at the
/// call's deadline.
public struct Call<Reply: WireMessage> {
  /// The request's header.
  public let header: V1.RequestHeader

  /// The connection that made the call.
  public let route: RoutingID

  /// Called once if the caller cancels before the answer, or if the deadline passes before the
  /// answer.
  ///
  /// The server stores the closure, so a handler does not have to keep the call.
  public var onCancel: (() -> Void)? {
    get { server.onCancel(of: key) }
    nonmutating set { server.onCancel(of: key, call: newValue) }
  }

  private let server: RequestServer

  init(_ header: V1.RequestHeader, from route: RoutingID, at server: RequestServer) {
    self.header = header
    self.route = route
    self.server = server
  }

  var key: CallKey { CallKey(route: route, callID: header.callID) }

  /// Answers with a reply.
  public func reply(_ reply: Reply) { server.finish(key, with: reply) }

  /// Answers with a failure.
  public func fail(_ status: Status) { server.finish(key, with: status) }

  /// Answers with a reply or a failure.
  public func answer(_ result: Result<Reply, Status>) {
    switch result {
    case .success(let answer): reply(answer)
    case .failure(let status): fail(status)
    }
  }

  /// Answers with the result of `work`, or with the status of the error that `work` throws.
  ///
  /// Use this method for work that suspends, at most once per call. The task starts on the server's
  /// thread and resumes there. The server owns the task, cancels it with the call, and awaits the
  /// task when the server drains. While the task runs, the server counts the call as an open call
  /// of the calling peer, even after the answer.
  public func perform(_ work: @escaping @Sendable () async throws -> Reply) {
    server.perform(work, answering: key)
  }
}

/// The identity of a call: its connection and its id.
struct CallKey: Hashable {
  let route: RoutingID
  let callID: UInt64
}
