import Testing
import WebRTC

@Suite struct VideoSectionTests {
  private func media(_ name: String, _ tracks: [VideoTrack] = []) throws -> NegotiatedMedia {
    try NegotiatedMedia(answering: SDPOffer(AnswerVectors.text("\(name).offer")), sending: tracks)
  }

  /// Returns the lines of a section of an answer, starting with the line of the section's
  /// direction.
  private func lines(_ media: NegotiatedMedia, mid: String) throws -> [Substring] {
    let text = AnswerVectors.answer.text(of: media)
    let sections = text.split(separator: "m=").filter { $0.contains("a=mid:\(mid)\r\n") }
    let lines = try #require(sections.first).split(separator: "\r\n")
    return Array(lines.drop { !["a=sendonly", "a=inactive", "a=sendrecv"].contains($0) })
  }

  @Test func `tracks are assigned, in order, to the sections that only receive`() throws {
    let media = try media("many-sections", [VideoTrack(ssrc: 7), VideoTrack(ssrc: 8)])
    #expect(media.tracks.map(\.ssrc) == [7, 8])
    let mids = media.tracks.compactMap(\.mid)
    #expect(Set(mids).count == 2 && media.sentVideo == nil)
    for (mid, ssrc) in zip(mids, [7, 8] as [UInt32]) {
      let repair = VideoTrack.repairSSRC(of: ssrc)
      #expect(
        try lines(media, mid: mid).prefix(5) == [
          "a=sendonly", "a=msid:v_\(mid) v_\(mid)", "a=ssrc-group:FID \(ssrc) \(repair)",
          "a=ssrc:\(ssrc) cname:carillon", "a=ssrc:\(repair) cname:carillon",
        ])
    }
  }

  @Test func `a track gets the section that it names before other tracks get sections`() throws {
    let mids = try media("many-sections", [VideoTrack(ssrc: 7), VideoTrack(ssrc: 8)]).tracks
      .compactMap(\.mid)
    let swapped = try media(
      "many-sections", [VideoTrack(ssrc: 7), VideoTrack(ssrc: 8, mid: mids[0])])
    #expect(swapped.tracks.map(\.ssrc) == [8, 7])
    let twice = try media(
      "many-sections", [VideoTrack(ssrc: 7, mid: mids[1]), VideoTrack(ssrc: 8, mid: mids[1])])
    #expect(twice.tracks.map(\.ssrc) == [7])
  }

  @Test func `a track that has ended, or that names no receiving section, activates no section`()
    throws
  {
    let gone = try media("many-sections", [VideoTrack(ssrc: 0), VideoTrack(ssrc: 8)])
    #expect(gone.tracks.map(\.ssrc) == [8])
    for mid in ["0", "1", "nowhere", ""] {
      #expect(try media("many-sections", [VideoTrack(ssrc: 7, mid: mid)]).tracks.isEmpty)
    }
    let many = (1...50).map { VideoTrack(ssrc: $0) }
    #expect(try media("many-sections", many).tracks.count == 2)
    #expect(try media("speaker-only", many).tracks.isEmpty)
  }

  @Test func `the answer selects the first codec of the offer for a camera`() throws {
    let camera = try #require(try media("chromium-camera").sentVideo)
    #expect(camera.codec?.name == "vp8" && camera.receivedRIDs.isEmpty)
    let simulcast = try #require(try media("chromium-simulcast").sentVideo)
    #expect(simulcast.receivedRIDs == ["low", "mid", "hi"])
  }

  @Test(
    arguments: [
      ("low;low", ["low"]), ("low;low;hi", ["low", "hi"]),
      ("low;~low;hi,mid;mid", ["low", "hi", "mid"]), ("low;low;low;mid;hi", ["low", "mid", "hi"]),
      ("low;none;hi", ["low", "hi"]),
    ])
  func `a layer id that an offer repeats counts as one layer`(list: String, ids: [String]) throws {
    let offer = try AnswerVectors.text("chromium-simulcast.offer")
      .replacing("a=rid:low send\r\n", with: "a=rid:low send\r\na=rid:low send\r\n")
      .replacing("a=simulcast:send low;~mid;hi", with: "a=simulcast:send \(list)")
    let media = try NegotiatedMedia(answering: SDPOffer(offer))
    let section = try #require(media.sentVideo)
    #expect(section.receivedRIDs == ids)
    let answer = try lines(media, mid: section.mid)
    #expect(answer.filter { $0.hasPrefix("a=rid:") } == ids.map { "a=rid:\($0) recv" })
    #expect(answer.contains("a=simulcast:recv \(ids.joined(separator: ";"))"))
  }
}
