internal import CarillonClientCore
internal import MeetingViews
internal import Output

extension RosterView {
  /// Returns the lines of a screen: title, roster, last events, and the keys at the bottom.
  ///
  /// The lines contain the number of attendees that do not fit on the screen. A screen with too few
  /// rows shows only the title and the keys.
  ///
  /// - Returns: One line for each row of the screen, none wider than the screen.
  func lines(on screen: TerminalSize) -> [TerminalLine] {
    guard screen.rows > 1 else { return [keys(screen)].suffix(max(0, screen.rows)) }
    let body = body(on: TerminalSize(columns: screen.columns, rows: screen.rows - 2))
    let filler = max(0, screen.rows - 2 - body.count)
    return [title(screen)] + body + Array(repeating: TerminalLine(text: ""), count: filler)
      + [keys(screen)]
  }

  /// Returns the lines between title and keys.
  private func body(on screen: TerminalSize) -> [TerminalLine] {
    // The rows are: an empty line, the header, the roster, an empty line, and the events.
    let room = screen.rows - 3
    guard room > 0 else { return [] }
    // The events get at most half of the room or, if this is more, all the room that the roster
    // does not need. The roster gets the rest.
    let entryCount = min(entries.count, max(room / 2, room - rosterHeight))
    let roster = roster(rows: room - entryCount, columns: screen.columns)
    let news = entries.suffix(entryCount).map { entry in
      TerminalLine(text: TerminalText.cut("\(entry.time)  \(entry.text)", to: screen.columns))
    }
    let empty = TerminalLine(text: "")
    return [empty, header(screen)] + roster + [empty] + news
  }

  private var rosterHeight: Int { max(1, rows.count) }

  private func title(_ screen: TerminalSize) -> TerminalLine {
    let people = rows.count == 1 ? "1 attendee" : "\(rows.count) attendees"
    let text = "Meeting \(meetingID)  \(connection.rawValue), \(people)"
    let colour: TerminalColors.Colour =
      switch connection {
      case .connected: .green
      case .connecting, .reconnecting: .yellow
      case .ended: .red
      }
    return TerminalLine(text: TerminalText.cut(text, to: screen.columns), colour: colour)
  }

  private func keys(_ screen: TerminalSize) -> TerminalLine {
    let text = "m \(isMuted ? "unmute" : "mute")   l leave"
    return TerminalLine(text: TerminalText.cut(text, to: screen.columns), colour: .cyan)
  }

  private func roster(rows height: Int, columns: Int) -> [TerminalLine] {
    guard !rows.isEmpty else {
      return [TerminalLine(text: TerminalText.cut("  nobody yet", to: columns))]
    }
    let isCut = rows.count > height
    let shown = rows.prefix(isCut ? height - 1 : height).map { row in
      line(
        Cells(
          name: label(of: row.attendee), mute: row.isMuted ? "muted" : "",
          volume: row.isMuted ? "" : row.volume?.bar ?? "", signal: row.signal?.bar ?? "",
          id: row.attendee.attendeeID), columns, row.isMuted ? .yellow : nil)
    }
    guard isCut else { return shown }
    let more = TerminalText.cut("  and \(rows.count - shown.count) more", to: columns)
    return shown + [TerminalLine(text: more)]
  }

  private func header(_ screen: TerminalSize) -> TerminalLine {
    line(
      Cells(name: "NAME", mute: "MUTE", volume: "VOLUME", signal: "SIGNAL", id: "ATTENDEE"),
      screen.columns, .cyan)
  }

  // MARK: - Columns

  private struct Cells {
    let name: String
    let mute: String
    let volume: String
    let signal: String
    let id: String
  }

  /// The widths of the columns that do not depend on the screen's width.
  private static let fixed = (mute: 7, volume: 13, signal: 11, id: 36)

  /// The minimum screen width at which the view shows ids. Some commands need these ids.
  private static let wide = 110

  private func line(_ cells: Cells, _ columns: Int, _ colour: TerminalColors.Colour?)
    -> TerminalLine
  {
    let fixed = Self.fixed
    let isWide = columns >= Self.wide
    let taken = 2 + fixed.mute + fixed.volume + fixed.signal + (isWide ? fixed.id : 0)
    var text = "  " + TerminalText.fitted(cells.name, to: max(8, min(40, columns - taken)))
    text += TerminalText.fitted(cells.mute, to: fixed.mute)
    text += TerminalText.fitted(cells.volume, to: fixed.volume)
    text += TerminalText.fitted(cells.signal, to: fixed.signal)
    if isWide { text += TerminalText.fitted(cells.id, to: fixed.id) }
    let end = text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? text.startIndex
    return TerminalLine(text: TerminalText.cut(String(text[..<end]), to: columns), colour: colour)
  }
}

extension VolumeLevel {
  fileprivate var bar: String {
    switch self {
    case .muted: ""
    case .notSpeaking: "silent"
    case .low: "#   low"
    case .medium: "##  medium"
    case .high: "### high"
    }
  }
}

extension SignalStrength {
  fileprivate var bar: String {
    switch self {
    case .none: "none"
    case .low: "#  low"
    case .high: "## high"
    }
  }
}
