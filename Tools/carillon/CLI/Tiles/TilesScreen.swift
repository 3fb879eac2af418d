internal import MeetingViews
internal import Output

/// The full-screen view of `carillon tiles`: the rim between ``TilesView`` and the terminal.
struct TilesScreen: Sendable {
  private let terminal: Terminal

  /// Takes the terminal over.
  init(news: AsyncStream<TilesUpdate>.Continuation) throws(CommandFailure) {
    terminal = try Terminal(
      onQuit: { news.yield(.quit) }, onRedraw: { news.yield(.redraw) })
  }

  /// Gives the terminal back.
  func close() { terminal.restore() }

  /// Makes the next picture count as new.
  func invalidate() { terminal.invalidate() }

  func show(_ view: TilesView, note: String?) {
    let size = terminal.size
    // The last column stays free: what is written there leaves the cursor in no certain place.
    let screen = ScreenSize(columns: size.columns - 1, rows: size.rows)
    terminal.show(view.lines(on: screen, note: note))
  }
}
