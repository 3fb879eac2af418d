import Bus
import MeetingModel
import ZeroMQ

/// The subscription to a meeting's speech at media, which moves with the meeting's owner.
///
/// Lives on its ``SocketThread``.
final class SpeechFollower {
  /// Called with the chunks of one item, and the number of malformed ones in it.
  var onSpeech: (([Transcriptions.Chunk], _ malformed: Int) -> Void)?

  /// Called when a stream breaks; the next one begins with full credit.
  var onBreak: (() -> Void)?

  private let meeting: MeetingID
  private let credit: UInt32
  private let links: ServiceLinks<MediaClient>
  private var link: ServiceLink<MediaClient>?
  private var stream: (handle: StreamHandle, id: [UInt8])?
  private let retry: Alarm

  /// The pause between two attempts to open a stream.
  private static let pause = Duration.milliseconds(200)

  /// - Parameter credit: The chunks that each stream begins with.
  init(
    _ meeting: MeetingID, credit: Int, of links: ServiceLinks<MediaClient>,
    on thread: SocketThread
  ) {
    (self.meeting, self.credit, self.links) = (meeting, UInt32(clamping: credit), links)
    retry = Alarm(on: thread)
  }

  /// Requests the meeting's speech from its current owner.
  func open() {
    close()
    guard let owner = links.owner(of: meeting) else { return openLater() }
    link = owner
    let id = GUID.random().bytes
    let handle = owner.client.streamTalkers(
      of: meeting, as: id, credit: credit, options: CallOptions(timeout: Self.longest),
      onSpeech: { [weak self] in self?.onSpeech?($0, $1) },
      onEnd: { [weak self] _ in self?.ended() })
    stream = (handle, id)
  }

  /// The stream's timeout, which must be long: a stream ends only with its meeting.
  private static let longest = Duration.seconds(86_000)

  /// Reopens the stream if the meeting has a new owner.
  func check() {
    guard let owner = links.owner(of: meeting), owner !== link else { return }
    let hadStream = stream != nil
    open()
    if hadStream { onBreak?() }
  }

  /// Grants media more chunks.
  ///
  /// A grant that is lost matters only to its stream.
  func grant(_ chunks: UInt32) {
    guard let stream, let link else { return }
    link.client.grant(chunks, to: stream.id, of: meeting)
  }

  func close() {
    retry.cancel()
    if let stream { link?.client.channel.cancel(stream.handle) }
    (stream, link) = (nil, nil)
  }

  /// Reopens the stream.
  ///
  /// Media restarted, or the meeting ended; then this follower is closed soon.
  private func ended() {
    (stream, link) = (nil, nil)
    onBreak?()
    openLater()
  }

  private func openLater() {
    retry.setUnlessSet(after: Self.pause) { [weak self] in self?.open() }
  }
}
