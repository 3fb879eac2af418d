import Bus
import MeetingModel
import ZeroMQ

/// Follows what video-tiles decides about one meeting: everything first, then what changes, and
/// everything again after a loss. Lives on its ``SocketThread``.
final class DecisionFollower {
  /// Called with each update, in order.
  var onUpdate: ((ForwardingUpdate) -> Void)?

  private let meeting: MeetingID
  private let links: ServiceLinks<VideoTilesClient>
  private var link: ServiceLink<VideoTilesClient>?
  private var handle: StreamHandle?
  private var lastSequence: UInt64 = 0
  private let retry: Alarm

  /// The pause between two attempts.
  private static let pause = Duration.milliseconds(200)

  /// A stream has no natural end: it is asked for again after this.
  private static let longest = Duration.seconds(86_000)

  init(
    _ meeting: MeetingID, of links: ServiceLinks<VideoTilesClient>, on thread: SocketThread
  ) {
    (self.meeting, self.links) = (meeting, links)
    retry = Alarm(on: thread)
  }

  /// Asks the present owner for everything, and follows it.
  func open() {
    close()
    guard let owner = links.owner(of: meeting) else { return openLater() }
    link = owner
    lastSequence = 0
    handle = owner.client.watchDecisions(
      of: meeting, options: CallOptions(timeout: Self.longest),
      onItem: { [weak self] in self?.take($0) },
      onEnd: { [weak self] _ in self?.ended() })
  }

  /// Opens anew if the meeting has another owner than the one that is followed.
  func check() {
    guard let owner = links.owner(of: meeting), owner !== link else { return }
    open()
  }

  func close() {
    retry.cancel()
    if let handle { link?.client.channel.cancel(handle) }
    (handle, link) = (nil, nil)
  }

  private func take(_ update: ForwardingUpdate) {
    guard update.sequence == lastSequence + 1 else { return open() }
    lastSequence = update.sequence
    onUpdate?(update)
  }

  /// The owner restarts, or the meeting is over; in that case the meeting is soon gone here too.
  private func ended() {
    (handle, link) = (nil, nil)
    openLater()
  }

  private func openLater() {
    retry.setUnlessSet(after: Self.pause) { [weak self] in self?.open() }
  }
}
