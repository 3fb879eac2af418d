import Testing
import Wire

@testable import CLI
@testable import MeetingViews
@testable import Output

@Suite struct TilesViewTests {
  private func source(
    _ tile: UInt32, _ name: String, layers: Int = 2, isContent: Bool = false
  ) -> V1.VideoSource {
    V1.VideoSource(
      tileID: tile,
      attendee: .init(
        attendeeID: "id-\(name)" + (isContent ? "#content" : ""), externalUserID: name),
      kind: isContent ? .content : .camera,
      layers: (0..<layers).map { index in
        let scale = UInt32(1 << index)
        return .init(
          width: 320 * scale, height: 180 * scale, framesPerSecond: 15,
          bitsPerSecond: 150_000 * scale)
      })
  }

  private func receiver(
    _ number: UInt8, _ name: String, _ forwardings: V1.Forwarding..., downlink: UInt32 = 0
  ) -> V1.ReceiverDecision {
    V1.ReceiverDecision(
      sessionID: [number], participantID: "id-\(name)", forwardings: forwardings,
      downlinkBitsPerSecond: downlink)
  }

  private func forwarding(
    _ tile: UInt32, layer: UInt32, _ reason: V1.ForwardingReason
  ) -> V1.Forwarding {
    V1.Forwarding(
      tileID: tile, layer: layer, reason: reason, bitsPerSecond: layer * 150_000, priority: .high)
  }

  /// An update in which Ada and Grace publish, and Grace and Lin receive.
  private var complete: V1.ForwardingUpdate {
    V1.ForwardingUpdate(
      sequence: 1, isComplete: true, sources: [source(1, "ada"), source(2, "grace")],
      receivers: [
        receiver(9, "lin", forwarding(1, layer: 1, .lowered), forwarding(2, layer: 2, .wanted)),
        receiver(8, "grace", forwarding(1, layer: 0, .pausedForBandwidth), downlink: 90_000),
      ])
  }

  private func view() -> TilesView {
    var view = TilesView(of: "m-1")
    let isTaken = view.apply(complete)
    #expect(isTaken)
    view.learn([
      V1.AttendeeRecord(attendeeID: "id-grace", externalUserID: "grace"),
      V1.AttendeeRecord(attendeeID: "id-lin", externalUserID: "lin"),
    ])
    return view
  }

  private func pairs(_ rows: [TileDecisionRow]) -> [String] {
    rows.map { "\($0.key.tile) \($0.receiver?.attendee.externalUserID ?? "-")" }
  }

  @Test func `each source has a row per receiver, in the order of tiles and names`() {
    #expect(pairs(view().rows) == ["1 grace", "1 lin", "2 lin"])
  }

  @Test func `the view lists the attendees whose names are unknown`() {
    var view = TilesView(of: "m-1")
    _ = view.apply(complete)
    #expect(view.unknownAttendees == ["id-grace", "id-lin"])
    #expect(pairs(view.rows) == ["1 ", "1 ", "2 "])
    #expect(self.view().unknownAttendees.isEmpty)
  }

  @Test func `a source without receivers has a row of its own`() {
    var view = TilesView(of: "m-1")
    _ = view.apply(
      V1.ForwardingUpdate(sequence: 1, isComplete: true, sources: [source(1, "ada")]))
    #expect(view.rows.map(\.receiver) == [nil])
    #expect(view.rows[0].text(isRemoved: false) == "tile 1 of ada: nobody watches")
    #expect(view.rows[0].record()["receiver_id"] == .null)
  }

  @Test func `only changed and removed rows are reported`() {
    var view = view()
    let before = view.rows
    _ = view.apply(
      V1.ForwardingUpdate(
        sequence: 2, endedTileIDs: [2],
        receivers: [receiver(9, "lin", forwarding(1, layer: 2, .wanted))]))
    let changes = view.changes(since: before)
    #expect(
      changes.map { $0.row.text(isRemoved: $0.isRemoved) }
        == ["tile 2 of grace to lin: ended", "tile 1 of ada to lin: 2/2 640x360, wanted"])
    let left = view.rows
    _ = view.apply(V1.ForwardingUpdate(sequence: 3, endedSessionIDs: [[9]]))
    #expect(view.changes(since: left).map(\.isRemoved) == [true])
    #expect(view.receiverCount == 1 && view.sourceCount == 1)
  }

  @Test func `after a missing update, only a complete update is accepted`() {
    var view = view()
    let isTaken = view.apply(V1.ForwardingUpdate(sequence: 3, endedTileIDs: [1]))
    #expect(!isTaken && view.sourceCount == 2)
    let isTakenWhole = view.apply(V1.ForwardingUpdate(sequence: 7, isComplete: true))
    #expect(isTakenWhole && view.sourceCount == 0 && view.receiverCount == 0)
    let isNextTaken = view.apply(
      V1.ForwardingUpdate(sequence: 8, sources: [source(3, "lin")]))
    #expect(isNextTaken)
  }

  @Test func `a row of tiles becomes one JSON object with stable member names`() {
    let row = view().rows[0]
    #expect(
      row.record().json == """
        {"tile_id": 1, "attendee_id": "id-ada", "external_user_id": "ada", "kind": "camera", \
        "layers": [{"width": 320, "height": 180, "frames_per_second": 15, \
        "bits_per_second": 150000}, {"width": 640, "height": 360, "frames_per_second": 15, \
        "bits_per_second": 300000}], "receiver_id": "id-grace", \
        "receiver_external_user_id": "grace", "layer": 0, "reason": "paused_for_bandwidth", \
        "priority": "high", "bits_per_second": 0, "downlink_bits_per_second": 90000, \
        "is_removed": false}
        """)
  }

  @Test func `the table shows which receiver gets which layer and why`() {
    let layers = "180p15/150k 360p15/300k"
    #expect(
      view().rows.map { $0.cells.fields.map(\.value.text) } == [
        ["1", "ada", layers, "grace", "-", "paused for bandwidth", "high", "-", "90"],
        ["1", "ada", layers, "lin", "1/2 320x180", "lowered", "high", "150", "-"],
        ["2", "grace", layers, "lin", "2/2 640x360", "wanted", "high", "300", "-"],
      ])
  }

  @Test func `a content share is marked, and a name in the table cannot control the terminal`() {
    var view = TilesView(of: "m-1")
    _ = view.apply(
      V1.ForwardingUpdate(
        sequence: 1, isComplete: true,
        sources: [source(1, "a\u{1B}[2J", layers: 1, isContent: true)]))
    #expect(view.rows[0].cells["source"] == .text("a\\u{1b}[2J#content"))
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 24])
  func `a screen has exactly as many lines as rows, and no line is too wide`(rows: Int) {
    for (view, columns) in [(view(), 40), (view(), 200), (TilesView(of: "m-2"), 30)] {
      let screen = TerminalSize(columns: columns, rows: rows)
      let lines = view.lines(on: screen, note: nil)
      #expect(lines.count == rows)
      #expect(lines.allSatisfy { TerminalText.width(of: $0.text) <= columns })
      if rows > 0 { #expect(lines.last?.text == "q quit") }
    }
  }

  @Test func `a screen shows how many rows do not fit, and shows an error in its title`() {
    let view = view()
    let low = view.lines(on: TerminalSize(columns: 200, rows: 5), note: nil).map(\.text)
    #expect(low[0] == "Meeting m-1  2 sources, 2 receivers")
    #expect(low[3] == "and 2 more")
    let lost = view.lines(on: TerminalSize(columns: 200, rows: 8), note: "away").map(\.text)
    #expect(lost[0] == "Meeting m-1  away")
    #expect(lost[2...4].allSatisfy { $0.hasPrefix("1") || $0.hasPrefix("2") })
  }
}
