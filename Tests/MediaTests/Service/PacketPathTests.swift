import Foundation
import TestSupport
import Testing
import Trials

@testable import Media

extension MediaServices {
  /// What a packet costs, in the program as it runs. The counter slows the program down.
  struct PacketPathTests {
    /// Ten speak and two are filmed, and three see both.
    private func fill(_ fixture: MediaServiceFixture) async throws -> MediaClient {
      let guests = (1...10).map { Guest(number: $0) }
      var clients: [MediaClient] = []
      for guest in guests { clients.append(try await fixture.join(guest)) }
      for (index, tile) in [UInt32(1), 2].enumerated() {
        await fixture.owners.publish(
          ScriptedOwners.camera(tile, tile: tile, track: 9_000 + tile), by: guests[index])
      }
      for guest in guests.suffix(3) { await fixture.owners.forward([1: 1, 2: 1], to: guest) }
      var random = SeededGenerator(seed: 1)
      for (index, client) in clients.enumerated() {
        try await client.speak(.tone(300 + 50 * Double(index)))
        guard index < 2 else { continue }
        var camera = VideoPublisher(ssrcs: [UInt32(index + 1)], using: &random)
        camera.frameBytes = 10_000
        await client.film(camera)
      }
      return clients[9]
    }

    /// `MediaService.receive(_:from:)`, as symbols name it: all that a packet passes is below.
    private static let entrance = "5Media0A7ServiceC7receive_4from"

    /// Functions below it that allocate, and are not of the link or of the way to it.
    private static let exempt = [
      // The window of an attendee's transits, in code that is not optimised.
      "3RTP13TransitWindowV6append",
      // What waits for a link that has no room.
      "5Media12WaitingVideoV", "5Media11VideoRouterV8leaveOut",
      // What leaves with this turn of the loop is gathered for each connection.
      "3Bus14ClientListenerC4send",
      // The first packet after a standstill of the machine raises a fence.
      "5Media0A7ServiceC10raiseFence",
    ]

    /// The way of a packet from the socket to the sound, or to its receivers' links.
    private func isOfPackets(_ site: AllocationCounts.Site) -> Bool {
      site.functions.contains { $0.contains(Self.entrance) }
    }

    private func isExempt(_ site: AllocationCounts.Site) -> Bool {
      site.functions.contains { name in Self.exempt.contains { name.contains($0) } }
    }

    /// A name that no function has would exempt nothing, or find nothing.
    @Test(arguments: [entrance] + exempt)
    func `the media program contains each function that the measurement looks for`(name: String)
      throws
    {
      let program = URL(fileURLWithPath: try Installation.binaries()).appending(path: "media")
      let bytes = try Data(contentsOf: program, options: .alwaysMapped)
      #expect(bytes.range(of: Data(name.utf8)) != nil)
    }

    /// What a connection does not take is copied, and kept until it does.
    private func isCopy(_ site: AllocationCounts.Site) -> Bool {
      site.functions.contains { $0.contains("13FramedMessageC") }
    }

    /// What came and what was allocated on the way, until 2,000 packets of each kind have come.
    private struct Window {
      let packets: Int
      let counts: AllocationCounts
      let sites: [AllocationCounts.Site]

      func sum(_ isCounted: (AllocationCounts.Site) -> Bool) -> Int {
        sites.filter(isCounted).map(\.count).reduce(0, +)
      }
    }

    private func measure(_ media: MediaProcess, _ viewer: MediaClient) async throws -> Window {
      let before = (try await media.received("audio"), try await media.received("video"))
      let counts = try await media.counting {
        // She is sent all of it; asking the process would cost it something.
        let seen = viewer.videos.entries.count
        try await viewer.videos.wait(for: "2,000 packets", within: .seconds(90)) {
          $0.count >= seen + 2_600
        }
      }
      let audio = try await media.received("audio") - before.0
      let video = try await media.received("video") - before.1
      try #require(audio >= 2_000 && video >= 2_000)
      let sites = counts.sites.filter { isOfPackets($0) && !$0.isFrame }
      return Window(packets: audio + video, counts: counts, sites: sites)
    }

    @Test func `a packet costs no allocation of our code and no turn of an actor`() async throws {
      try await withMediaProcess { fixture, media in
        let viewer = try await fill(fixture)
        // Until all memory that is kept has been taken: the caches hold 512 packets.
        try await viewer.videos.wait(for: "a second of pictures") { $0.count >= 2_500 }
        var window = try await measure(media, viewer)
        // On a machine that is too busy receivers are slow, and what waits for them is copied.
        for _ in 0..<5 where window.sum(isCopy) * 4 > window.packets {
          window = try await measure(media, viewer)
        }
        for (owner, sites) in Dictionary(grouping: window.sites, by: \.owner) {
          print("\(owner): \(sites.map(\.count).reduce(0, +)) allocations,", terminator: " ")
        }
        print("\(window.counts.jobs) turns of actors for \(window.packets) packets.")
        // None, but a machine that stood still may have given seats to talkers again. Of what came
        // with each packet there were thousands, of what came with each mix hundreds.
        let isOurs = { (site: AllocationCounts.Site) in
          site.owner == "media" && !isCopy(site) && !isExempt(site)
        }
        let ours = window.sites.filter(isOurs)
        #expect(window.sum(isOurs) < 20, "\(ours.map { ($0.count, $0.functions.prefix(3)) })")
        // What the counter sees at all: our timers and reports.
        let others = window.counts.sites.filter { $0.owner == "media" && !isOfPackets($0) }
        #expect(others.contains { !$0.isFrame })
        // The heartbeat and reports have turns, whatever comes: some a second. A busy machine takes
        // more seconds for as many packets.
        #expect((1..<window.packets / 4).contains(window.counts.jobs))
      }
    }
  }
}
