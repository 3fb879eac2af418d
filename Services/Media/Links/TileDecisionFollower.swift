import Bus
import MeetingModel
import ZeroMQ

/// Follows the decisions of `video-tiles` about one meeting.
///
/// The first update is complete, and later updates contain changes. After a stream has ended, the
/// follower waits, and then opens a new stream. The new stream begins with a complete update again.
/// All methods run on the follower's ``SocketThread``.
final class TileDecisionFollower {
  /// Called with each update, in order.
  var onUpdate: ((ForwardingUpdate) -> Void)?

  private let meeting: MeetingID
  private let links: ServiceLinks<VideoTilesClient>
  private var link: ServiceLink<VideoTilesClient>?
  private var handle: StreamCallHandle?
  private var lastSequence: UInt64 = 0
  private let retry: StreamReopenTimer

  /// The timeout of a stream.
  ///
  /// Every call needs a timeout, but a stream never ends on its own. So the follower opens a new
  /// stream after this time.
  private static let longest = Duration.seconds(86_000)

  init(
    _ meeting: MeetingID, of links: ServiceLinks<VideoTilesClient>, on thread: SocketThread
  ) {
    (self.meeting, self.links) = (meeting, links)
    retry = StreamReopenTimer(on: thread)
  }

  /// Opens a stream at the meeting's present owner. The stream begins with a complete update.
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

  /// Opens a new stream if another instance now owns the meeting.
  func check() {
    guard let owner = links.owner(of: meeting), owner !== link else { return }
    open()
  }

  func close() {
    retry.cancel()
    cancel()
    link = nil
  }

  private func cancel() {
    if let handle { link?.client.channel.cancel(handle) }
    handle = nil
  }

  private func take(_ update: ForwardingUpdate) {
    guard update.sequence == lastSequence + 1 else {
      cancel()
      return openLater()
    }
    if lastSequence > 0 { retry.succeeded() }
    lastSequence = update.sequence
    onUpdate?(update)
  }

  /// Opens a new stream after the former stream has ended.
  ///
  /// The stream ends if the owner of the meeting restarts, or if the meeting ends. If the meeting
  /// has ended, the gateways also end the meeting at this instance. The follower keeps the owner's
  /// link, so that ``check()`` does not shorten the wait.
  private func ended() {
    handle = nil
    openLater()
  }

  private func openLater() { retry.open { [weak self] in self?.open() } }
}
