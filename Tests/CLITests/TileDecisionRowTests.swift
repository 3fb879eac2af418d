import Testing
import Wire

@testable import CLI
@testable import MeetingViews
@testable import Output

/// Tests of the words in a row of `carillon tiles`. ``TilesViewTests`` tests the order of rows.
@Suite struct TileDecisionRowTests {
  private func shown(
    layer: UInt32 = 1, reason: V1.ForwardingReason = .wanted,
    priority: V1.VideoPriority = .high, kind: V1.VideoSourceKind = .camera,
    name: String = "ben", rate: UInt32 = 150_000, downlink: UInt32 = 0
  ) -> TileDecisionRow? {
    var view = TilesView(of: "m-1")
    _ = view.apply(
      V1.ForwardingUpdate(
        sequence: 1, isComplete: true,
        sources: [
          V1.VideoSource(
            tileID: 1,
            attendee: .init(
              attendeeID: kind == .content ? "a-1#content" : "a-1", externalUserID: "ada"),
            kind: kind,
            layers: [
              V1.VideoLayer(
                width: 320, height: 180, framesPerSecond: 15, bitsPerSecond: 150_000)
            ])
        ],
        receivers: [
          V1.ReceiverDecision(
            sessionID: [1], participantID: "b-2",
            forwardings: [
              V1.Forwarding(
                tileID: 1, layer: layer, reason: reason, bitsPerSecond: rate, priority: priority)
            ], downlinkBitsPerSecond: downlink)
        ]))
    view.learn([V1.AttendeeRecord(attendeeID: "b-2", externalUserID: name)])
    return view.rows.first
  }

  @Test(
    arguments: [
      (.wanted, "wanted", "wanted"), (.lowered, "lowered", "lowered"),
      (.pausedForBandwidth, "paused_for_bandwidth", "paused for bandwidth"),
      (.pausedByUser, "paused_by_user", "paused by user"),
      (.notFlowing, "not_flowing", "not flowing"),
      (.notSubscribed, "not_subscribed", "not subscribed"),
      (.overLimit, "over_limit", "over limit"), (.receivingOff, "receiving_off", "receiving off"),
      (.cannotDecode, "cannot_decode", "cannot decode"),
      (.unspecified, "unknown", "unknown"), (.unrecognized(99), "unknown", "unknown"),
    ] as [(V1.ForwardingReason, String, String)])
  func `a forwarding reason is a word in JSON and a phrase in text`(
    reason: V1.ForwardingReason, word: String, phrase: String
  ) throws {
    let row = try #require(shown(layer: 0, reason: reason))
    #expect(row.record()["reason"] == .text(word))
    #expect(row.cells["why"] == .text(phrase))
    #expect(row.text(isRemoved: false) == "tile 1 of ada to ben: \(phrase)")
  }

  @Test(
    arguments: [
      (.lowest, "lowest"), (.low, "low"), (.medium, "medium"), (.high, "high"),
      (.highest, "highest"), (.unspecified, "high"), (.unrecognized(9), "unknown"),
    ] as [(V1.VideoPriority, String)])
  func `a priority is printed as a word`(priority: V1.VideoPriority, word: String) throws {
    let row = try #require(shown(priority: priority))
    #expect(row.record()["priority"] == .text(word))
    #expect(row.cells["priority"] == .text(word))
  }

  @Test(
    arguments: [
      (.camera, "camera", "ada"), (.content, "content", "ada#content"),
      (.unspecified, "unknown", "ada"), (.unrecognized(7), "unknown", "ada"),
    ] as [(V1.VideoSourceKind, String, String)])
  func `the kind of a source is printed as a word, and the name of a content share is marked`(
    kind: V1.VideoSourceKind, word: String, name: String
  ) throws {
    let row = try #require(shown(kind: kind))
    #expect(row.record()["kind"] == .text(word))
    #expect(row.cells["source"] == .text(name))
  }

  @Test(arguments: [(0, ""), (1, "1/1 320x180"), (2, "")])
  func `the cell of a layer that the source does not have is left empty`(
    layer: UInt32, text: String
  ) throws {
    let row = try #require(shown(layer: layer))
    #expect(row.cells["gets"] == .text(text))
    #expect(row.record()["layer"] == JSONValue(layer))
  }

  @Test(arguments: [(0, "", 0, ""), (999, "0", 1_000, "1"), (2_500_000, "2500", 900_499, "900")])
  func `rates are printed in whole kilobits, and missing rates are left empty`(
    rate: UInt32, text: String, downlink: UInt32, estimate: String
  ) throws {
    let row = try #require(shown(rate: rate, downlink: downlink))
    #expect(row.cells["kbit/s"] == .text(text))
    #expect(row.cells["downlink"] == .text(estimate))
  }

  @Test(arguments: [("", "b-2"), ("ben\u{1B}[2J", #"ben\u{1b}[2J"#)])
  func `a receiver without a name is shown by its id, and no name controls the terminal`(
    name: String, called: String
  ) throws {
    let row = try #require(shown(name: name))
    #expect(row.cells["receiver"] == .text(called))
    #expect(row.text(isRemoved: true) == "tile 1 of ada to \(called): ended")
  }
}
