internal import MeetingViews
internal import Output
internal import Wire

extension TilesView {
  /// Returns the lines of a screen: title, table, and the keys at the bottom.
  ///
  /// The lines contain the number of rows that do not fit on the screen.
  ///
  /// - Parameter note: The fault of the connection; `nil` if there is no fault.
  /// - Returns: One line for each row of the screen, none wider than the screen.
  func lines(on screen: TerminalSize, note: String?) -> [TerminalLine] {
    let keys = line("q quit", screen, .cyan)
    guard screen.rows > 1 else { return [keys].suffix(max(0, screen.rows)) }
    let height = screen.rows - 2
    let body = table(height: height, screen)
    let filler = Array(repeating: TerminalLine(text: ""), count: max(0, height - body.count))
    return [title(screen, note)] + body + filler + [keys]
  }

  private func title(_ screen: TerminalSize, _ note: String?) -> TerminalLine {
    let sources = sourceCount == 1 ? "1 source" : "\(sourceCount) sources"
    let receivers = receiverCount == 1 ? "1 receiver" : "\(receiverCount) receivers"
    let text = "Meeting \(meetingID)  \(note ?? "\(sources), \(receivers)")"
    return line(text, screen, note == nil ? .green : .yellow)
  }

  private func table(height: Int, _ screen: TerminalSize) -> [TerminalLine] {
    let rows = rows
    guard !rows.isEmpty else {
      return Array([line("  nobody publishes video", screen, nil)].prefix(height))
    }
    // The header takes one line, and the number of hidden rows takes another line.
    let isCut = rows.count + 1 > height
    let shown = rows.prefix(isCut ? max(0, height - 2) : rows.count)
    let texts = OutputRecord.table(shown.map(\.cells)).split(separator: "\n").map(String.init)
    var lines = texts.enumerated().map { index, text in
      line(text, screen, index == 0 ? .cyan : shown[index - 1].colour)
    }
    if isCut { lines.append(line("and \(rows.count - shown.count) more", screen, nil)) }
    return Array(lines.prefix(height))
  }

  private func line(_ text: String, _ screen: TerminalSize, _ colour: TerminalColors.Colour?)
    -> TerminalLine
  {
    TerminalLine(text: TerminalText.cut(text, to: screen.columns), colour: colour)
  }
}

extension TileDecisionRow {
  /// The colour of a row that needs the operator's attention.
  fileprivate var colour: TerminalColors.Colour? {
    switch receiver?.forwarding.reason {
    case .pausedForBandwidth, .notFlowing, .cannotDecode: .red
    case .lowered, .overLimit: .yellow
    case nil, .unspecified, .wanted, .pausedByUser, .notSubscribed, .receivingOff, .unrecognized:
      nil
    }
  }
}
