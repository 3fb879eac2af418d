internal import MeetingViews
internal import Output

/// The full-screen view of `carillon tiles`, which draws a ``TilesView`` on the terminal.
struct TilesScreen: Sendable {
  private let terminal: Terminal

  /// Takes over the terminal.
  init(news: AsyncStream<TilesCommandEvent>.Continuation) throws(CommandFailure) {
    terminal = try Terminal(
      onQuit: { news.yield(.quit) }, onRedraw: { news.yield(.redraw) })
  }

  /// Restores the terminal.
  func close() { terminal.restore() }

  /// Makes the next picture redraw the whole screen.
  func invalidate() { terminal.invalidate() }

  func show(_ view: TilesView, note: String?) {
    let size = terminal.size
    // The last column remains empty, because text in the last column leaves the cursor at an
    // undefined place.
    let screen = TerminalSize(columns: size.columns - 1, rows: size.rows)
    terminal.show(view.lines(on: screen, note: note))
  }
}
