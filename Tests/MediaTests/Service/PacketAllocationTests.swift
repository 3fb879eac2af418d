import Foundation
import TestSupport
import Testing
import Trials

@testable import Media

extension MediaServices {
  /// Tests of the allocations per packet in the running program. The counter slows the program
  /// down.
  struct PacketAllocationTests {
    /// Adds ten speakers. Two of the speakers send video, and three other speakers receive both
    /// videos.
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

    /// The symbol of the entry function `MediaService.receive(_:from:)`. This function calls,
    /// directly or not, every function on a packet's path.
    private static let entrance = "5Media0A7ServiceC7receive_4from"

    /// The symbol of the class that contains a copy of a message for slow connections.
    private static let copy = "17ZMTPFramedMessageC"

    /// Functions that allocate memory and that the entry function calls, but that are not on a
    /// packet's path.
    private static let exempt = [
      // In unoptimised code, this function allocates the window of an attendee's transit times.
      "3RTP18PacketTransitTimesV6append",
      // These functions keep the packets that wait because their link has no room.
      "5Media12WaitingVideoV", "5Media11VideoRouterV8leaveOut",
      // For each connection, this function gathers the packets of one turn of the event loop.
      "3Bus14ClientListenerC4send",
      // The first packet after a standstill of the machine calls this function.
      "5Media0A7ServiceC10raiseFence",
    ]

    /// Returns whether a site is on a packet's path from the socket to the sound or the receivers'
    /// links.
    private func isOfPackets(_ site: AllocationCounts.Site) -> Bool {
      site.functions.contains { $0.contains(Self.entrance) }
    }

    private func isExempt(_ site: AllocationCounts.Site) -> Bool {
      site.functions.contains { name in Self.exempt.contains { name.contains($0) } }
    }

    /// Each name must match a function. Otherwise, the name would exempt no site, or would find no
    /// site on a packet's path.
    @Test(arguments: [entrance, copy] + exempt)
    func `the media program contains each function that the measurement looks for`(name: String)
      throws
    {
      let program = URL(fileURLWithPath: try Installation.binaries()).appending(path: "media")
      let bytes = try Data(contentsOf: program, options: .alwaysMapped)
      #expect(bytes.range(of: Data(name.utf8)) != nil)
    }

    /// Returns whether a site copies bytes that a connection does not accept yet.
    private func isCopy(_ site: AllocationCounts.Site) -> Bool {
      site.functions.contains { $0.contains(Self.copy) }
    }

    /// The packets received and the allocations made, until 2,000 packets of each kind have
    /// arrived.
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
        // The viewer counts the packets, because a request to the process would cause allocations.
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

    @Test func `a packet causes no allocation in our code and no job of an actor`() async throws {
      try await withMediaProcess { fixture, media in
        let viewer = try await fill(fixture)
        // First media must allocate all memory that it later reuses: the caches contain 512
        // packets.
        try await viewer.videos.wait(for: "a second of pictures") { $0.count >= 2_500 }
        var window = try await measure(media, viewer)
        // If the machine is too busy, receivers are slow, and libzmq copies the packets that wait
        // for them.
        for _ in 0..<5 where window.sum(isCopy) * 4 > window.packets {
          window = try await measure(media, viewer)
        }
        for (owner, sites) in Dictionary(grouping: window.sites, by: \.owner) {
          print("\(owner): \(sites.map(\.count).reduce(0, +)) allocations,", terminator: " ")
        }
        print("\(window.counts.jobs) turns of actors for \(window.packets) packets.")
        // The path should not allocate, but after a stall of the machine, media may have chosen
        // other speakers, and this choice allocates. If media allocated for each packet, the count
        // would be in the thousands. If media allocated for each mix, the count would be in the
        // hundreds.
        let isOurs = { (site: AllocationCounts.Site) in
          site.owner == "media" && !isCopy(site) && !isExempt(site)
        }
        let ours = window.sites.filter(isOurs)
        #expect(window.sum(isOurs) < 20, "\(ours.map { ($0.count, $0.functions.prefix(3)) })")
        // This check shows that the counter works: the counter must find the allocations of the
        // program's timers and reports.
        let others = window.counts.sites.filter { $0.owner == "media" && !isOfPackets($0) }
        #expect(others.contains { !$0.isFrame })
        // The heartbeat and the reports cause some jobs per second, whatever arrives. A busy
        // machine takes more seconds for the same number of packets.
        #expect((1..<window.packets / 4).contains(window.counts.jobs))
      }
    }
  }
}
