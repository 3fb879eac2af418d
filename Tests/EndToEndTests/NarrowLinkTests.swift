import CarillonClient
import TestSupport
import Testing
import Trials

extension EndToEnd {
  /// Tests of the video of a receiver whose link is too slow for all of the video.
  struct NarrowLinkTests {
    @Test func `a pinned tile keeps its size while other tiles shrink, pause and return`()
      async throws
    {
      try await NarrowLinkMeeting.run { meeting in
        let (ben, cleo, tiles) = (meeting.ben, meeting.cleo, meeting.tiles)
        let pinned = tiles[0]
        let (heard, shown) = (cleo.heard.entries.count, cleo.shown.entries.count)
        // While five cameras start at the same time, media does not know the capacity of the links
        // yet.
        let (benHeard, benSeconds) = (ben.heard.entries.count, ben.figures.entries.count)
        let start = ContinuousClock.now
        defer {
          let estimates = cleo.figures.entries.compactMap { $0[.videoAvailableReceiveBandwidth] }
          print("Cleo's link by what was estimated: \(estimates.map { Int($0 / 1_000) }) kbit/s.")
        }

        await meeting.limit(to: 2_000_000)
        // A tile that has only one layer cannot fall to a smaller layer. So the server pauses at
        // least two of the three tiles with one layer. The link may have room for the third of
        // these tiles. The other tile has three layers, and falls to a smaller layer.
        let lines = tiles[2...].map { "pause \($0) for poor connection" }
        try await cleo.heard.wait(for: "two pauses", within: .seconds(20)) { entries in
          Set(entries.dropFirst(heard)).intersection(lines).count >= 2
        }
        try await eventually("the other camera to fall or pause", within: .seconds(20)) {
          let last = cleo.shown.entries.last { $0.tile == tiles[1] }
          return last?.width ?? 0 < NarrowLinkMeeting.topWidth
            || cleo.heard.entries.contains("pause \(tiles[1]) for poor connection")
        }
        let narrow = ContinuousClock.now
        // Frames of the pinned tile continue to arrive.
        try await cleo.sees(30, of: pinned, since: cleo.shown.entries.count)
        let settled = cleo.shown.entries.count

        await meeting.limit(to: nil)
        let freed = ContinuousClock.now
        for tile in tiles[2...] {
          try await cleo.sees(5, of: tile, since: settled, within: .seconds(25))
        }
        try await cleo.sees(
          tiles[1], at: NarrowLinkMeeting.topWidth, since: settled, within: .seconds(25))
        print(
          "All fell after \(narrow - start) and came back after \(ContinuousClock.now - freed).")

        let widths = cleo.shown.entries.dropFirst(shown).filter { $0.tile == pinned }.map(\.width)
        print(
          "The pinned tile's widths: \(Dictionary(widths.map { ($0, 1) }, uniquingKeysWith: +)).")
        #expect(Set(widths) == [NarrowLinkMeeting.topWidth])
        #expect(!cleo.heard.entries.contains { $0.hasPrefix("pause \(pinned)") })
        // Ben's link has no limit.
        #expect(!ben.heard.entries.dropFirst(benHeard).contains { $0.hasPrefix("pause ") })
        // The first figures describe a second that began before the measurement.
        let lost = ben.figures.entries.dropFirst(benSeconds + 1).compactMap {
          $0[.videoReceivePacketLossPercent]
        }
        #expect(lost.allSatisfy { $0 == 0 }, "\(lost)")
      }
    }
  }
}
