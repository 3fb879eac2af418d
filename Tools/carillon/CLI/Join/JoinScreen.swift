internal import CarillonClientCore
internal import Foundation
internal import MeetingViews
internal import Output

/// The full-screen view of `carillon join`, which draws a ``RosterView`` on the terminal.
struct JoinScreen: Sendable {
  /// The view before the first event.
  let view: RosterView
  private let terminal: Terminal

  /// Takes over the terminal.
  init(
    _ configuration: MeetingSessionConfiguration, news: AsyncStream<JoinCommandEvent>.Continuation
  ) throws(CommandFailure) {
    view = RosterView(
      meetingID: configuration.meetingId,
      localAttendeeID: configuration.credentials.attendeeId)
    terminal = try Terminal(
      paint: TerminalColors(for: STDOUT_FILENO, environment: ProcessInfo.processInfo.environment),
      onKeys: { bytes in
        for key in JoinKeystroke.keys(in: bytes) { news.yield(.key(key)) }
      },
      onResize: { news.yield(.resized) })
    show(view)
  }

  /// Restores the terminal.
  func close() { terminal.restore() }

  /// Handles an update, and shows the new view.
  func take(_ news: JoinCommandEvent, into view: inout RosterView, _ client: MeetingEventClient) {
    let time = Date().formatted(.iso8601.time(includingFractionalSeconds: false))
    switch news {
    case .event(let event): view.apply(event, at: time)
    case .level(let change): view.apply(change)
    case .video(let record): view.note(record.line, at: time)
    case .key(.toggleMute):
      let isMuting = !view.isMuted
      if !client.setMuted(isMuting) { view.note(Self.refusal(isMuting, view), at: time) }
    case .key(.leave):
      view.note("leaving", at: time)
      client.stop()
    case .key(.redraw), .resized: terminal.invalidate()
    }
    show(view)
  }

  private static func refusal(_ isMuting: Bool, _ view: RosterView) -> String {
    guard view.connection == .connected else { return "not connected: nothing was changed" }
    return isMuting ? "muting was refused" : "unmuting was refused: an operator has muted you"
  }

  private func show(_ view: RosterView) {
    let size = terminal.size
    // The last column remains empty, because text in the last column leaves the cursor at an
    // undefined place.
    terminal.show(view.lines(on: TerminalSize(columns: size.columns - 1, rows: size.rows)))
  }
}
