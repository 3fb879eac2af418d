public import Bus
import MeetingModel
public import Wire

/// A description of the stream that a ``TestGateway`` follows: the events of one meeting at its
/// owner.
public struct FollowedStream: Sendable {
  /// An owner's answer to a gateway that has missed events.
  public enum Missed: Sendable {
    case events([V1.PackedEvent])

    /// The owner no longer stores the events. The gateway continues after this position.
    case position(epoch: UInt64, sequence: UInt64)
  }

  /// The instance that owns the meeting, for example `presence-a`.
  let instance: String

  /// The stream's topic.
  let topic: EventTopic

  /// Requests the events after a position. `then` receives `nil` if the owner does not answer.
  let catchUp:
    @Sendable (
      _ channel: RequestChannel, _ options: CallOptions, _ epoch: UInt64, _ sequence: UInt64,
      _ then: @escaping (Missed?) -> Void
    ) -> Void

  /// Describes a stream.
  ///
  /// - Parameters:
  ///   - replay: The method that returns missed events.
  ///   - request: Creates the request from an epoch and the last sequence number seen.
  ///   - missed: Reads the reply; returns `nil` for a reply without content.
  public init<Request, Reply>(
    of instance: String, _ topic: EventTopic, replay: UnaryMethod<Request, Reply>,
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
