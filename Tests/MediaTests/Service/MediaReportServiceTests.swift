import TestSupport
import Testing
import Trials
import Wire

@testable import Media

extension MediaServices {
  /// Tests of media's reports to presence, video-tiles, clients and operators.
  struct MediaReportServiceTests {
    private static func volumes(_ levels: [V1.AttendeeLevel], of guest: Guest) -> [V1.VolumeLevel] {
      levels.filter { $0.participantID == guest.id && $0.volume != .unspecified }.map(\.volume)
    }

    @Test func `presence receives each change of volume once`() async throws {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        _ = try await fixture.join(.grace)
        try await ada.speak(.tone(440))
        try await fixture.owners.levels.wait(for: "a loud voice") {
          Self.volumes($0, of: .ada).last == .high
        }
        try await fixture.owners.levels.wait(for: "a signal") {
          $0.contains { $0.participantID == Guest.ada.id && $0.signal == .high }
        }
        await ada.fallSilent()
        try await fixture.owners.levels.wait(for: "silence") {
          Self.volumes($0, of: .ada).last == .notSpeaking
        }
        let told = Self.volumes(fixture.owners.levels.entries, of: .ada)
        #expect(zip(told, told.dropFirst()).allSatisfy { $0 != $1 })
        #expect(
          Self.volumes(fixture.owners.levels.entries, of: .grace).allSatisfy { $0 == .notSpeaking })
      }
    }

    @Test func `presence receives all volumes again in a new ownership term`() async throws {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        try await ada.speak(.tone(440))
        try await fixture.owners.levels.wait(for: "a loud voice") {
          Self.volumes($0, of: .ada).last == .high
        }
        let count = fixture.owners.levels.entries.count
        try await fixture.owners.restart("presence", in: fixture.directory, fixture.registry)
        try await fixture.owners.levels.wait(for: "the voice again") {
          Self.volumes(Array($0.dropFirst(count)), of: .ada).contains(.high)
        }
      }
    }

    @Test func `video-tiles receives link estimates and the list of layers whose packets arrive`()
      async throws
    {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        _ = try await fixture.join(.grace)
        await fixture.owners.publish(ScriptedOwners.camera(11, 12), by: .ada)
        await fixture.owners.forward([1: 1], to: .grace)
        var random = SeededGenerator(seed: 1)
        await ada.film(VideoPublisher(ssrcs: [11], using: &random))
        let tracks = try await fixture.owners.tracks.wait(for: "layer 1 to flow") {
          $0.contains { $0.tileID == 1 && $0.layer == 1 && $0.isFlowing && $0.framesPerSecond > 0 }
        }
        #expect(tracks.allSatisfy { $0.layer == 1 || !$0.isFlowing })
        try await fixture.owners.downlinks.wait(for: "grace's link") {
          $0.contains { $0.sessionID == Guest.grace.session && $0.usedBitsPerSecond > 100_000 }
        }
        await ada.close()
        try await fixture.owners.tracks.wait(for: "layer 1 to stop") {
          $0.last { $0.layer == 1 }?.isFlowing == false
        }
      }
    }

    @Test func `video-tiles receives the list of arriving layers again in a new ownership term`()
      async throws
    {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        await fixture.owners.publish(ScriptedOwners.camera(11, 12), by: .ada)
        var random = SeededGenerator(seed: 1)
        await ada.film(VideoPublisher(ssrcs: [11], using: &random))
        try await fixture.owners.tracks.wait(for: "layer 1 to flow") {
          $0.last { $0.layer == 1 }?.isFlowing == true
        }
        let count = fixture.owners.tracks.entries.count
        try await fixture.owners.restart("video-tiles", in: fixture.directory, fixture.registry)
        try await fixture.owners.tracks.wait(for: "all layers again") {
          let told = $0.dropFirst(count)
          return told.last { $0.layer == 1 }?.isFlowing == true
            && told.last { $0.layer == 2 }?.isFlowing == false
        }
      }
    }

    @Test func `each client receives metrics of its own media once a second`() async throws {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        _ = try await fixture.join(.grace)
        try await fixture.gateway.admit(.edsger)
        try await ada.speak(.tone(440))
        let told = try await fixture.gateway.told.wait(for: "three seconds") { told in
          [Guest.ada, .grace].allSatisfy { guest in
            told.count { $0.participants == [guest.id] } >= 4
          }
        }
        #expect(told.allSatisfy { $0.participants.count == 1 })
        // A guest who is not connected has no media.
        #expect(!told.contains { $0.participants == [Guest.edsger.id] })
        let hers = told.filter { $0.participants == [Guest.ada.id] }.map(\.metrics)
        // On a busy machine, media stalls in some seconds. Media then drops packets, and counts the
        // dropped packets as lost.
        let sent = hers.compactMap(\.audioSend)
        #expect(
          sent.contains {
            (40...60).contains($0.packets) && $0.lossPpm == 0 && $0.bitsPerSecond > 5_000
          })
        #expect(
          zip(hers, hers.dropFirst()).allSatisfy { $0.tick < $1.tick && $0.epoch == $1.epoch })
        let graces = told.filter { $0.participants == [Guest.grace.id] }.map(\.metrics)
        #expect(graces.allSatisfy { $0.audioSend == nil })
      }
    }

    @Test func `metrics contain the measured loss`() async throws {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        _ = try await fixture.join(.grace)
        try await ada.speak(.tone(440), losingEvery: 5)
        try await fixture.gateway.told.wait(for: "the loss") { told in
          told.contains {
            $0.participants == [Guest.ada.id]
              && (150_000...250_000).contains($0.metrics.audioSend?.lossPpm ?? 0)
          }
        }
        try await fixture.owners.levels.wait(for: "a poor signal") {
          $0.contains { $0.participantID == Guest.ada.id && $0.signal == .low }
        }
        // In each second, media conceals one packet in five. A report covers only one second, so
        // the figures do not grow.
        let told = try await fixture.gateway.told.wait(for: "eight seconds") { told in
          told.count { $0.participants == [Guest.grace.id] } >= 8
        }
        let concealed = try await fixture.gateway.statistics(of: .ada)?.concealedPackets ?? 0
        #expect((5...20).contains(concealed))
        func heard(_ guest: Guest) -> [UInt32] {
          told.filter { $0.participants == [guest.id] }.map(\.metrics.audioReceiveConcealedPackets)
        }
        #expect((5...20).contains(heard(.grace).last ?? 0))
        #expect(heard(.grace).allSatisfy { $0 <= 20 })
        #expect(heard(.ada).allSatisfy { $0 == 0 })
      }
    }

    @Test func `statistics show talkers, listeners, encodings and the time spent on the mix`()
      async throws
    {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        let grace = try await fixture.join(.grace)
        try await fixture.gateway.admit(.edsger)
        try await ada.speak(.tone(440))
        try await grace.sounds.wait(for: "two seconds") { $0.count >= 100 }
        try await eventually("a whole second") {
          try await fixture.gateway.statistics().encodes >= 40
        }
        let statistics = try await fixture.gateway.statistics()
        #expect(statistics.meetingID == Guest.meeting)
        #expect(statistics.instance == "media-a")
        #expect(statistics.talkers == 1)
        #expect(statistics.listeners == 2)
        #expect((40...60).contains(statistics.encodes))
        #expect(statistics.mixUs > 0)
        let people = statistics.participants
        #expect(
          people.compactMap(\.attendee?.attendeeID) == [Guest.ada, .grace, .edsger].map(\.id))
        #expect(people.map(\.isTalking) == [true, false, false])
        #expect(people.map(\.isConnected) == [true, true, false])
        #expect(people.map { $0.rights?.isMuted } == [false, false, false])
      }
    }

    @Test func `clients receive reports on the media that they send and receive`() async throws {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        let grace = try await fixture.join(.grace)
        try await ada.speak(.tone(440))
        try await ada.control.wait(for: "a receiver report") {
          $0.contains { $0[1] == 201 }
        }
        try await grace.control.wait(for: "a sender report") {
          $0.contains { $0[1] == 200 }
        }
      }
    }
  }
}
