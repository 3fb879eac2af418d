public import Bus
public import MeetingModel

/// The event streams of an owner's meetings, each with an epoch of its own.
///
/// Lives on the owner's thread. Empty unless the owner is open.
public final class OwnerStreams {
  /// What the streams of one service have in common.
  public struct Kind: Sendable {
    let name: String
    let topic: @Sendable (MeetingID) -> Topic
    let keeping: Int

    /// - Parameters:
    ///   - name: As positions name it, for example `roster`.
    ///   - topic: On which it is published.
    ///   - keeping: How many events of a meeting stay for replay, at least.
    public init(
      _ name: String, on topic: @escaping @Sendable (MeetingID) -> Topic, keeping: Int
    ) {
      self.name = name
      self.topic = topic
      self.keeping = keeping
    }
  }

  private let kind: Kind
  private var publisher: EventPublisher?
  private var streams: [MeetingID: EventStream] = [:]
  private var epochs = EpochSource()

  init(_ kind: Kind) { self.kind = kind }

  /// The stream of a meeting, which begins when it is first needed. `nil` when the owner is closed.
  public subscript(meeting: MeetingID) -> EventStream? {
    streams[meeting] ?? begin(meeting, epoch: epochs.next(), after: 0)
  }

  /// The stream of a meeting, if it has begun.
  public func existing(_ meeting: MeetingID) -> EventStream? { streams[meeting] }

  /// Begins the stream of a meeting where its numbering outlives the process.
  ///
  /// - Parameter sequence: The last number given before.
  @discardableResult
  public func begin(
    _ meeting: MeetingID, epoch: UInt64, after sequence: UInt64
  ) -> EventStream? {
    let stream = publisher?.beginStream(
      of: meeting, name: kind.name, topic: kind.topic(meeting), epoch: epoch, after: sequence,
      keeping: kind.keeping)
    streams[meeting] = stream
    return stream
  }

  /// Ends the stream of a meeting that is known no more.
  public func end(_ meeting: MeetingID) {
    streams[meeting] = nil
    publisher?.endStream(of: meeting)
  }

  /// Beacons name this fence from now on, the first one at once; 0: none is up.
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
