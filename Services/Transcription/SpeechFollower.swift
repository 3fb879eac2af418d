import Bus
import MeetingModel
import ZeroMQ

/// Follows a meeting's speech at media, from owner to owner. Lives on its ``SocketThread``.
final class SpeechFollower {
  /// Called with the chunks that came together, and how many more were not what they should be.
  var onSpeech: (([Transcriptions.Chunk], _ malformed: Int) -> Void)?

  /// Called when a stream broke: the next one begins with all credit.
  var onBreak: (() -> Void)?

  private let meeting: MeetingID
  private let credit: UInt32
  private let links: ServiceLinks<MediaClient>
  private var link: ServiceLink<MediaClient>?
  private var stream: (handle: StreamHandle, id: [UInt8])?
  private let retry: Alarm

  /// The pause between two attempts.
  private static let pause = Duration.milliseconds(200)

  /// - Parameter credit: Chunks that each stream begins with.
  init(
    _ meeting: MeetingID, credit: Int, of links: ServiceLinks<MediaClient>,
    on thread: SocketThread
  ) {
    (self.meeting, self.credit, self.links) = (meeting, UInt32(clamping: credit), links)
    retry = Alarm(on: thread)
  }

  /// Asks the present owner for the meeting's speech.
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

  /// A stream has no natural end while the meeting lasts.
  private static let longest = Duration.seconds(86_000)

  /// Opens anew if the meeting has another owner than the one that is followed.
  func check() {
    guard let owner = links.owner(of: meeting), owner !== link else { return }
    let hadStream = stream != nil
    open()
    if hadStream { onBreak?() }
  }

  /// Media may send so many chunks more. A grant that gets lost goes with its stream.
  func grant(_ chunks: UInt32) {
    guard let stream, let link else { return }
    link.client.grant(chunks, to: stream.id, of: meeting)
  }

  func close() {
    retry.cancel()
    if let stream { link?.client.channel.cancel(stream.handle) }
    (stream, link) = (nil, nil)
  }

  /// Media restarts, or the meeting is over; in that case it is soon gone here too.
  private func ended() {
    (stream, link) = (nil, nil)
    onBreak?()
    openLater()
  }

  private func openLater() {
    retry.setUnlessSet(after: Self.pause) { [weak self] in self?.open() }
  }
}
