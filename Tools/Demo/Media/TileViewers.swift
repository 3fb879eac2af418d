internal import CarillonClient
internal import MeetingViews
internal import Synchronization

/// The views of one client's tiles. The views record the number in each picture.
final class TileViewers: Sendable {
  private let views = Mutex([Int: TileViewer]())

  func view(of tile: Int, _ journal: EventJournal<MediaEvent>) -> TileViewer {
    views.withLock { views in
      let view = views[tile] ?? TileViewer(of: tile, journal)
      views[tile] = view
      return view
    }
  }
}

/// A view of one tile.
final class TileViewer: VideoRenderView, Sendable {
  private let tile: Int
  private let journal: EventJournal<MediaEvent>

  init(of tile: Int, _ journal: EventJournal<MediaEvent>) {
    (self.tile, self.journal) = (tile, journal)
  }

  func onVideoFrameReceived(frame: VideoFrame) {
    journal.record(
      .frame(tile: tile, number: FrameCounter.read(frame.buffer), width: frame.width))
  }
}
