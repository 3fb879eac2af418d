public import Bus
public import MeetingModel

/// The event streams of an owner's meetings, each with its own epoch.
///
/// All calls run on the owner's thread. There are no streams while the owner is closed.
public final class OwnerStreams {
  /// The common properties of one service's streams.
  public struct Kind: Sendable {
    let name: String
    let topic: @Sendable (MeetingID) -> EventTopic
    let keeping: Int

    /// - Parameters:
    ///   - name: The stream's name in positions, for example `roster`.
    ///   - topic: Returns the topic on which the owner publishes a meeting's stream.
    ///   - keeping: The number of newest events to keep for replay, for each meeting.
    public init(
      _ name: String, on topic: @escaping @Sendable (MeetingID) -> EventTopic, keeping: Int
    ) {
      self.name = name
      self.topic = topic
      self.keeping = keeping
    }
  }

  private let kind: Kind
  private var publisher: EventPublisher?
  private var streams: [MeetingID: MeetingEventStream] = [:]
  private var epochs = StreamEpochSource()

  init(_ kind: Kind) { self.kind = kind }

  /// The stream of a meeting. The stream begins at the first access; `nil` when the owner is
  /// closed.
  public subscript(meeting: MeetingID) -> MeetingEventStream? {
    streams[meeting] ?? begin(meeting, epoch: epochs.next(), after: 0)
  }

  /// Returns the stream of a meeting; `nil` if the stream has not begun.
  public func existing(_ meeting: MeetingID) -> MeetingEventStream? { streams[meeting] }

  /// Begins the stream of a meeting whose numbering continues after a restart of the process.
  ///
  /// - Parameter sequence: The last sequence number of an earlier run of the process.
  @discardableResult
  public func begin(
    _ meeting: MeetingID, epoch: UInt64, after sequence: UInt64
  ) -> MeetingEventStream? {
    let stream = publisher?.beginStream(
      of: meeting, name: kind.name, topic: kind.topic(meeting), epoch: epoch, after: sequence,
      keeping: kind.keeping)
    streams[meeting] = stream
    return stream
  }

  /// Ends the stream of a meeting whose state the owner has removed.
  public func end(_ meeting: MeetingID) {
    streams[meeting] = nil
    publisher?.endStream(of: meeting)
  }

  /// Publishes a fence in all beacons, and sends a beacon immediately. The value 0 means no fence.
  public func show(fence: UInt64) {
    if publisher?.fence != fence { publisher?.fence = fence }
  }

  func open(_ publisher: EventPublisher) { self.publisher = publisher }

  func close() {
    publisher?.close()
    publisher = nil
    streams = [:]
  }
}
