public import Bus
import MeetingModel
public import Wire

/// How a ``TestGateway`` follows the stream of one owner's meeting.
public struct FollowedStream: Sendable {
  /// What an owner answers to a gateway that has missed something.
  public enum Missed: Sendable {
    case events([V1.PackedEvent])

    /// The events are gone; the meeting is to be followed from this position on.
    case position(epoch: UInt64, sequence: UInt64)
  }

  /// The instance that owns the meeting, for example `presence-a`.
  let instance: String

  /// The stream's topic.
  let topic: Topic

  /// Asks for what is behind a position. `nil` is told when the owner does not answer.
  let catchUp:
    @Sendable (
      _ channel: RequestChannel, _ options: CallOptions, _ epoch: UInt64, _ sequence: UInt64,
      _ then: @escaping (Missed?) -> Void
    ) -> Void

  /// - Parameters:
  ///   - replay: The method that tells what was missed.
  ///   - request: Makes its request, of an epoch and the last sequence number that was seen.
  ///   - missed: Reads its reply; `nil` where that says nothing.
  public init<Request, Reply>(
    of instance: String, _ topic: Topic, replay: UnaryMethod<Request, Reply>,
    request: @escaping @Sendable (_ epoch: UInt64, _ sequence: UInt64) -> Request,
    missed: @escaping @Sendable (Reply) -> Missed?
  ) {
    (self.instance, self.topic) = (instance, topic)
    catchUp = { channel, options, epoch, sequence, then in
      channel.call(replay, request(epoch, sequence), options) { result in
        then((try? result.get()).flatMap(missed))
      }
    }
  }
}
