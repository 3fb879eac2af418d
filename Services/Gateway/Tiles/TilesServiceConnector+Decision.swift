import Bus
import MeetingModel
import Wire

extension TilesServiceConnector {
  /// The maximum wait for the decision of a board.
  private static let patience = Duration.seconds(4)

  /// Returns the current decision of a meeting's tile board: its sources, and what each receiver
  /// gets.
  ///
  /// - Throws: `unavailable` if `video-tiles` does not answer within four seconds; `notFound` if
  ///   `video-tiles` has no board of the meeting.
  func decision(on board: MeetingID) async throws(Status) -> V1.ForwardingUpdate {
    let client = try follower.reachableOwner(of: board).client
    let result = await withCheckedContinuation { continuation in
      let first = FirstTileDecisionWaiter(continuation)
      first.stream = client.watchDecisions(
        V1.WatchDecisionsRequest(meetingID: board.text),
        onItem: { update in
          first.take(.success(update))
          first.stream.map(client.channel.cancel)
        },
        onEnd: { status in first.take(status.map { .failure($0) } ?? .success(.init())) })
      context.after(Self.patience) {
        first.take(.failure(Self.away))
        first.stream.map(client.channel.cancel)
      }
    }
    return try result.get()
  }
}

/// The first item of a stream of decisions, for a caller that waits for this item.
private final class FirstTileDecisionWaiter {
  var stream: StreamCallHandle?
  private var continuation: CheckedContinuation<Result<V1.ForwardingUpdate, Status>, Never>?

  init(_ continuation: CheckedContinuation<Result<V1.ForwardingUpdate, Status>, Never>) {
    self.continuation = continuation
  }

  /// Resumes the caller; further calls do nothing.
  func take(_ result: Result<V1.ForwardingUpdate, Status>) {
    continuation?.resume(returning: result)
    continuation = nil
  }
}
