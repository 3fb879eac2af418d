internal import CarillonClient
internal import MeetingViews
internal import Synchronization

/// The views of one client's tiles. The views record the number in each picture.
final class DemoTileViews: Sendable {
  private let views = Mutex([Int: DemoTileView]())

  func view(of tile: Int, _ journal: ObservedEventLog<DemoMediaEvent>) -> DemoTileView {
    views.withLock { views in
      let view = views[tile] ?? DemoTileView(of: tile, journal)
      views[tile] = view
      return view
    }
  }
}

/// A view of one tile.
final class DemoTileView: VideoRenderView, Sendable {
  private let tile: Int
  private let journal: ObservedEventLog<DemoMediaEvent>

  init(of tile: Int, _ journal: ObservedEventLog<DemoMediaEvent>) {
    (self.tile, self.journal) = (tile, journal)
  }

  func onVideoFrameReceived(frame: VideoFrame) {
    journal.record(
      .frame(tile: tile, number: FrameCounter.read(frame.buffer), width: frame.width))
  }
}
