import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

@testable import Media

extension MediaServices {
  /// Tests of the connection that media assigns to each session, and of the ways in which sessions
  /// end.
  struct MediaSessionServiceTests {
    // MARK: Tickets

    @Test func `media echoes a valid ticket and connects the ticket's session`() async throws {
      try await withMediaService { fixture in
        let reply = try await fixture.gateway.admit(.ada)
        #expect(reply.format?.audioSendSSRC == Guest.ada.ssrc)
        #expect(reply.format?.audioReceiveSSRC != 0)
        #expect(reply.format?.maxPacketBytes == 1_500)
        #expect(reply.term == 1)
        #expect(reply.endpoint.hasSuffix("media-a.media.sock"))
        #expect(try await fixture.gateway.statistics(of: .ada)?.isConnected == false)
        let ada = try await fixture.connect(.ada)
        try await ada.show()
        try await ada.show()
        #expect(try await fixture.gateway.statistics(of: .ada)?.isConnected == true)
      }
    }

    @Test func `a session moves to the newest connection that sends the session's ticket`()
      async throws
    {
      try await withMediaService { fixture in
        let former = try await fixture.join(.ada)
        let grace = try await fixture.join(.grace)
        try await grace.speak(.tone(440))
        try await former.sounds.wait(for: "sound") { $0.count > 5 }
        let newer = try await fixture.connect(.ada)
        try await newer.show()
        // When media echoes this client's ticket, all packets in transit to the old connection have
        // arrived.
        let fence = try await fixture.join(.edsger)
        try await fence.show()
        let count = former.sounds.entries.count
        try await newer.sounds.wait(for: "sound") { $0.count > 10 }
        #expect(former.sounds.entries.count <= count + 1)
        // Packets on the old connection have no effect.
        let unbound = fixture.dropped(.unbound)
        await former.send(former.packet([1, 2, 3]))
        try await eventually("the drop") { fixture.dropped(.unbound) == unbound + 1 }
      }
    }

    @Test func `a connection without a valid ticket gets no answer and is closed after a timeout`()
      async throws
    {
      try await withMediaService({ $0.unauthenticatedLimit = .milliseconds(600) }) { fixture in
        try await fixture.gateway.admit(.ada)
        try await fixture.gateway.admit(.grace)
        try await fixture.gateway.release(.grace)
        let ada = try await fixture.connect(.ada)
        try await ada.show()
        let shown: [[UInt8]] = [
          [UInt8](repeating: 1, count: 16), Guest.ada.ticket() + [0], Guest.ada.ticket().dropLast(),
          Guest.grace.ticket(), [],
        ]
        for ticket in shown {
          let stranger = try await fixture.connect(.edsger)
          await stranger.send(ticket)
          try await stranger.losses.wait(for: "the end") { !$0.isEmpty }
          #expect(stranger.answers.entries.isEmpty)
        }
        // A connection with a session may be silent.
        #expect(ada.losses.entries.isEmpty)
        try await ada.show()
      }
    }

    @Test func `a standstill of media closes no connection`() async throws {
      try await withMediaService({ $0.unauthenticatedLimit = .seconds(5) }) { fixture in
        try await fixture.gateway.admit(.ada)
        let ada = try await fixture.connect(.ada)
        // The wait exceeds the time limit of a connection without a ticket.
        await fixture.standStill(for: 6)
        try await ada.show()
        #expect(ada.losses.entries.isEmpty)
      }
    }

    @Test func `a connection keeps its first session, even if it sends another session's ticket`()
      async throws
    {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        try await fixture.gateway.admit(.grace)
        let refused = DropReason.allCases.map { fixture.dropped($0) }.reduce(0, +)
        await ada.send(Guest.grace.ticket())
        try await ada.show()
        #expect(!ada.answers.entries.contains(Guest.grace.ticket()))
        #expect(try await fixture.gateway.statistics(of: .grace)?.isConnected == false)
        #expect(DropReason.allCases.map { fixture.dropped($0) }.reduce(0, +) == refused + 1)
      }
    }

    @Test func `a new ticket separates a session from the connection of the old ticket`()
      async throws
    {
      try await withMediaService { fixture in
        let former = try await fixture.join(.ada)
        let first = try await fixture.gateway.statistics(of: .ada)
        #expect(first?.isConnected == true)
        let reply = try await fixture.gateway.admit(.ada, ticket: Guest.ada.ticket(2))
        #expect(reply.format?.audioSendSSRC == Guest.ada.ssrc)
        #expect(try await fixture.gateway.statistics(of: .ada)?.isConnected == false)
        await former.send(Guest.ada.ticket())
        let newer = try await fixture.connect(.ada)
        try await newer.show(Guest.ada.ticket(2))
        #expect(former.answers.entries.count == 1)
        #expect(try await fixture.gateway.statistics(of: .ada)?.isConnected == true)
        // The old connection can take over the session again only with the new ticket.
        try await former.show(Guest.ada.ticket(2))
      }
    }

    @Test func `a released session's ticket is invalid, and packets of its connection are dropped`()
      async throws
    {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        let grace = try await fixture.join(.grace)
        try await ada.speak(.tone(440))
        try await grace.sounds.wait(for: "sound") { $0.count > 5 }
        try await fixture.gateway.release(.ada)
        try await fixture.gateway.release(.ada)
        let unbound = fixture.dropped(.unbound)
        try await eventually("drops") { fixture.dropped(.unbound) > unbound + 5 }
        #expect(try await fixture.gateway.statistics(of: .ada) == nil)
        let again = try await fixture.connect(.ada)
        await again.send(Guest.ada.ticket())
        try await grace.show()
        #expect(again.answers.entries.isEmpty)
      }
    }

    // MARK: Connections that end

    @Test func `a client that vanishes is disconnected and can reconnect`()
      async throws
    {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        let grace = try await fixture.join(.grace)
        try await grace.speak(.tone(440))
        try await ada.sounds.wait(for: "sound") { $0.count > 5 }
        await ada.close()
        try await eventually("ada to be gone") {
          try await fixture.gateway.statistics(of: .ada)?.isConnected == false
        }
        let again = try await fixture.connect(.ada)
        try await again.show()
        try await again.sounds.wait(for: "sound") { $0.count > 5 }
      }
    }

    @Test
    func `a receiver that does not read loses its oldest packets, and other receivers lose none`()
      async throws
    {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        let grace = try await fixture.join(.grace)
        try await fixture.gateway.admit(.edsger)
        let slow = try await fixture.connect(.edsger, receiving: 4)
        try await slow.show()
        await slow.read(false)
        await fixture.owners.publish(ScriptedOwners.camera(11), by: .ada)
        await fixture.owners.forward([1: 1], to: .grace)
        await fixture.owners.forward([1: 1], to: .edsger)
        try await grace.speak(.tone(440))
        var random = SeededGenerator(seed: 3)
        var camera = VideoPublisher(ssrcs: [11], using: &random)
        camera.frameBytes = 30_000
        await ada.film(camera)
        try await fixture.gateway.told.wait(for: "drops of the slow one") { told in
          told.contains {
            $0.participants == [Guest.edsger.id] && $0.metrics.droppedPackets > 0
          }
        }
        #expect(fixture.dropped(.slow) > 0)
        #expect(slow.losses.entries.isEmpty)
        let others = fixture.gateway.told.entries.filter { $0.participants != [Guest.edsger.id] }
        #expect(others.allSatisfy { $0.metrics.droppedPackets == 0 })
        let numbers = grace.videos.entries.compactMap { FrameLabel(packet: $0)?.index }
        #expect(numbers.count > 20)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 })
        // Media has kept the newest packets. These packets arrive as soon as the receiver reads.
        let newest = numbers.last ?? 0
        await slow.read(true)
        try await slow.videos.wait(for: "the newest") {
          $0.contains { (FrameLabel(packet: $0)?.index ?? 0) > newest }
        }
      }
    }

    // MARK: Gateways

    @Test func `sessions of a vanished gateway end after the grace period`() async throws {
      try await withMediaService({
        $0.gatewaySilence = .milliseconds(300)
        $0.gatewayGrace = .milliseconds(700)
      }) { fixture in
        try await fixture.withGateway("gateway-b") { other in
          let ada = try await fixture.join(.ada)
          try await other.admit(.grace)
          try await eventually("grace to be gone") {
            _ = try await fixture.gateway.sayAlive()
            return try await fixture.gateway.statistics(of: .grace) == nil
          }
          try await ada.show()
          // Media repeats its request until the gateway confirms the request, because the network
          // may lose an answer.
          for _ in 0..<2 {
            let reply = try await other.sayAlive()
            #expect(reply.wantsAnnouncement && reply.announcement == 2)
          }
          #expect(try await !other.sayAlive(announcing: 2).wantsAnnouncement)
          #expect(try await !other.sayAlive().wantsAnnouncement)
        }
      }
    }

    @Test func `after a gateway restarts, its sessions end unless the gateway admits them again`()
      async throws
    {
      try await withMediaService({ $0.gatewayGrace = .milliseconds(700) }) { fixture in
        let ada = try await fixture.join(.ada)
        _ = try await fixture.join(.grace)
        #expect(try await !fixture.gateway.sayAlive(announcing: 1).wantsAnnouncement)
        #expect(try await fixture.gateway.sayAlive(run: 2).wantsAnnouncement)
        try await fixture.withGateway("gateway-a", run: 2) { again in
          try await again.admit(.ada)
          try await eventually("grace to be gone") {
            try await again.statistics(of: .grace) == nil
          }
          try await ada.show()
          #expect(try await again.statistics(of: .ada)?.isConnected == true)
        }
      }
    }

    @Test func `a gateway cannot release a session that another gateway took over`() async throws {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        try await fixture.withGateway("gateway-b") { other in
          try await other.admit(.ada)
          try await fixture.gateway.release(.ada)
          try await ada.show()
          try await other.release(.ada)
          await #expect(throws: Status.self) { try await other.statistics() }
        }
      }
    }

    @Test func `a gateway with an older admission cannot take back a session`() async throws {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada) { $0.openedAtMs = 2_000 }
        try await fixture.withGateway("gateway-b") { former in
          await #expect {
            try await former.admit(.ada) { $0.openedAtMs = 1_000 }
          } throws: {
            ($0 as? Status)?.reason == .joinedElsewhere
          }
          try await ada.show()
          try await former.admit(.ada) { $0.openedAtMs = 3_000 }
        }
      }
    }

    @Test func `a request for another ownership term is refused`()
      async throws
    {
      try await withMediaService { fixture in
        try await fixture.gateway.admit(.ada, term: 1)
        await #expect {
          try await fixture.gateway.admit(.grace, term: 2)
        } throws: {
          ($0 as? Status)?.code == .aborted
        }
        #expect(try await fixture.gateway.statistics().participants.count == 1)
      }
    }

    @Test func `the end of a meeting ends its sessions`() async throws {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        for _ in 0..<2 {
          _ = try await fixture.gateway.call(
            V1.MediaMethods.endMeeting, V1.EndMeetingRequest(meetingID: Guest.meeting))
        }
        await #expect {
          _ = try await fixture.gateway.statistics()
        } throws: {
          ($0 as? Status)?.code == .notFound
        }
        let unbound = fixture.dropped(.unbound)
        await ada.send(Guest.ada.ticket())
        try await eventually("the drop") { fixture.dropped(.unbound) == unbound + 1 }
        #expect(try await !fixture.gateway.set(.isMuted(true), of: .ada).isKnown)
      }
    }

    @Test func `invalid requests are refused`() async throws {
      try await withMediaService { fixture in
        let wrong: [@Sendable (inout V1.AdmitRequest) -> Void] = [
          { $0.meetingID = "x" }, { $0.sessionID = [1] }, { $0.attendee = nil },
          { $0.ticket = [UInt8](repeating: 1, count: 15) }, { $0.gateway = "" },
          { $0.attendee?.attendeeID = "nobody" },
        ]
        for change in wrong {
          await #expect {
            try await fixture.gateway.admit(.ada, change)
          } throws: {
            ($0 as? Status)?.code == .invalidArgument
          }
        }
        await #expect {
          _ = try await fixture.gateway.call(
            V1.MediaMethods.setSendRights,
            V1.SetSendRightsRequest(meetingID: Guest.meeting, participantID: Guest.ada.id))
        } throws: {
          ($0 as? Status)?.code == .invalidArgument
        }
      }
    }
  }
}
