internal import CarillonClient
internal import MeetingViews
internal import Synchronization

/// The pictures that one client saw, by sender.
final class PictureTally: Sendable {
  struct Picture: Sendable {
    /// The number drawn in the picture; `nil` if the picture contains no readable number.
    let number: Int?
    /// The width in pixels.
    let width: Int
    let time: ContinuousClock.Instant
  }

  private let seen = Mutex([String: [Picture]]())

  func record(_ frame: VideoFrame, of attendeeID: String) {
    let picture = Picture(
      number: FrameCounter.read(frame.buffer), width: frame.width, time: .now)
    seen.withLock { $0[attendeeID, default: []].append(picture) }
  }

  /// Returns the pictures of a participant since a time, in order.
  func pictures(of attendeeID: String, since: ContinuousClock.Instant? = nil) -> [Picture] {
    let all = seen.withLock { $0[attendeeID] ?? [] }
    return since.map { since in all.filter { $0.time >= since } } ?? all
  }

  /// The number of pictures of each participant.
  var counts: [String: Int] { seen.withLock { $0.mapValues(\.count) } }

  /// Returns the longest time without a picture of a participant, from `since` until now.
  func longestGap(of attendeeID: String, since: ContinuousClock.Instant) -> Duration {
    let times = [since] + pictures(of: attendeeID, since: since).map(\.time) + [.now]
    return zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .zero
  }
}

/// A view of one tile. The view counts the tile's pictures.
final class CountingView: VideoRenderView, Sendable {
  private let attendeeID: String
  private let tally: PictureTally

  init(of attendeeID: String, _ tally: PictureTally) {
    (self.attendeeID, self.tally) = (attendeeID, tally)
  }

  func onVideoFrameReceived(frame: VideoFrame) { tally.record(frame, of: attendeeID) }
}
