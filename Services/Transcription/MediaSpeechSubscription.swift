import Bus
import MeetingModel
import ZeroMQ

/// The subscription to a meeting's speech at the instance of `media` that owns the meeting. When
/// the owner changes, the subscription moves to the new owner.
///
/// All methods run on the ``SocketThread`` of the subscription.
final class MediaSpeechSubscription {
  /// Called with the chunks of one item, and with the number of malformed chunks in the item.
  var onSpeech: (([Transcriptions.Chunk], _ malformed: Int) -> Void)?

  /// Called when a stream breaks. The next stream begins with full credit.
  var onBreak: (() -> Void)?

  private let meeting: MeetingID
  private let credit: UInt32
  private let links: ServiceLinks<MediaClient>
  private var link: ServiceLink<MediaClient>?
  private var stream: (handle: StreamCallHandle, id: [UInt8])?
  private let retry: StreamReopenTimer

  /// - Parameter credit: The credit of each new stream, in chunks.
  init(
    _ meeting: MeetingID, credit: Int, of links: ServiceLinks<MediaClient>,
    on thread: SocketThread
  ) {
    (self.meeting, self.credit, self.links) = (meeting, UInt32(clamping: credit), links)
    retry = StreamReopenTimer(on: thread)
  }

  /// Requests the meeting's speech from the meeting's present owner.
  func open() {
    close()
    guard let owner = links.owner(of: meeting) else { return openLater() }
    link = owner
    let id = GUID.random().bytes
    let handle = owner.client.streamTalkers(
      of: meeting, as: id, credit: credit, options: CallOptions(timeout: Self.longest),
      onSpeech: { [weak self] in self?.take($0, $1) },
      onEnd: { [weak self] _ in self?.ended() })
    stream = (handle, id)
  }

  /// The timeout of a stream. The timeout must be long, because a stream ends only with its
  /// meeting.
  private static let longest = Duration.seconds(86_000)

  /// Opens the stream again if the meeting has a new owner.
  func check() {
    guard let owner = links.owner(of: meeting), owner !== link else { return }
    let hadStream = stream != nil
    open()
    if hadStream { onBreak?() }
  }

  /// Grants credit for more chunks to `media`.
  ///
  /// The loss of a grant affects only the grant's stream.
  func grant(_ chunks: UInt32) {
    guard let stream, let link else { return }
    link.client.grant(chunks, to: stream.id, of: meeting)
  }

  func close() {
    retry.cancel()
    if let stream { link?.client.channel.cancel(stream.handle) }
    (stream, link) = (nil, nil)
  }

  private func take(_ chunks: [Transcriptions.Chunk], _ malformed: Int) {
    retry.succeeded()
    onSpeech?(chunks, malformed)
  }

  /// Opens the stream again.
  ///
  /// The stream ends if `media` restarts, or if the meeting ends. If the meeting has ended, the
  /// service closes this subscription afterwards. The subscription remembers the owner's link, so
  /// that ``check()`` does not shorten the pause.
  private func ended() {
    stream = nil
    onBreak?()
    openLater()
  }

  private func openLater() { retry.open { [weak self] in self?.open() } }
}
