import TestSupport
import Testing
import Trials
import Wire

@testable import Media

extension MediaServices {
  /// Tests of video through the service, according to the decisions of video-tiles.
  struct MediaVideoServiceTests {
    /// Runs a test in which Ada sends two layers, and Grace receives the layers that video-tiles
    /// decides.
    private func withCamera(
      _ body: @Sendable (MediaServiceFixture, MediaClient, MediaClient) async throws -> Void
    ) async throws {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        let grace = try await fixture.join(.grace)
        try await fixture.owners.watches.wait(for: "media to follow") { $0 == [Guest.meeting] }
        await fixture.owners.publish(ScriptedOwners.camera(11, 12), by: .ada)
        var random = SeededGenerator(seed: 1)
        await ada.film(VideoPublisher(ssrcs: [11, 12], using: &random))
        try await body(fixture, ada, grace)
      }
    }

    private func labels(_ client: MediaClient, after mark: Int = 0) -> [FrameLabel] {
      client.videos.entries.dropFirst(mark).compactMap { FrameLabel(packet: $0) }
    }

    /// Waits for frames of a layer. The count starts at a key frame of this layer.
    private func sees(
      _ client: MediaClient, layer: Int, after mark: Int = 0, frames: Int = 10
    ) async throws {
      try await client.videos.wait(for: "frames of layer \(layer)") { videos in
        let labels = videos.dropFirst(mark).compactMap { FrameLabel(packet: $0) }
        guard let start = labels.firstIndex(where: { $0.layer == layer && $0.isKey }) else {
          return false
        }
        return labels[start...].count >= frames
      }
    }

    @Test func `media forwards no video before a decision`() async throws {
      try await withCamera { fixture, _, grace in
        try await fixture.owners.tracks.wait(for: "the camera to flow") {
          $0.contains(where: \.isFlowing)
        }
        try await grace.show()
        #expect(grace.videos.entries.isEmpty)
      }
    }

    @Test func `the chosen layer arrives as one stream that starts with a key frame`() async throws
    {
      try await withCamera { fixture, ada, grace in
        await fixture.owners.forward([1: 1], to: .grace)
        try await sees(grace, layer: 1)
        let mark = grace.videos.entries.count
        await fixture.owners.forward([1: 2], to: .grace)
        try await sees(grace, layer: 2, after: mark)
        #expect(ada.keyFrameRequests.entries.contains(12))
        let packets = grace.videos.entries.compactMap { RTPNumbers($0) }
        #expect(Set(packets.map(\.ssrc)) == [9_001])
        #expect(zip(packets, packets.dropFirst()).allSatisfy { $1.sequence == $0.sequence &+ 1 })
        // The lower layer continues until the upper layer has a key frame.
        let frames = labels(grace)
        let numbers = frames.map(\.index)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 == $1 || $0 + 1 == $1 })
        #expect(ada.videos.entries.isEmpty)
      }
    }

    @Test func `a pause stops packets immediately, and a resumption requests a key frame`()
      async throws
    {
      try await withCamera { fixture, ada, grace in
        await fixture.owners.forward([1: 1], to: .grace)
        try await sees(grace, layer: 1)
        await fixture.owners.forward([1: 0], to: .grace)
        // Decisions and requests use different connections. The statistics show when media has
        // applied the decision.
        try await eventually("the pause") {
          let mark = grace.videos.entries.count
          try await grace.show()
          let later = try await ticks(fixture, 4)
          return grace.videos.entries.count == mark && later
        }
        let (mark, requests) = (grace.videos.entries.count, ada.keyFrameRequests.entries.count)
        await fixture.owners.forward([1: 1], to: .grace)
        try await ada.keyFrameRequests.wait(for: "the request") { $0.count > requests }
        try await sees(grace, layer: 1, after: mark)
        #expect(labels(grace, after: mark).first?.isKey == true)
        let packets = grace.videos.entries.compactMap { RTPNumbers($0) }
        #expect(zip(packets, packets.dropFirst()).allSatisfy { $1.sequence == $0.sequence &+ 1 })
      }
    }

    /// Waits until the camera has sent some more frames.
    private func ticks(_ fixture: MediaServiceFixture, _ count: Int) async throws -> Bool {
      let received = fixture.counts("carillon_media_received_packets_total{kind=\"video\"}")
      try await eventually("frames") {
        fixture.counts("carillon_media_received_packets_total{kind=\"video\"}") > received + count
          * 4
      }
      return true
    }

    @Test func `media forwards only the publisher's packets, and only until the source ends`()
      async throws
    {
      try await withCamera { fixture, ada, grace in
        await fixture.owners.forward([1: 1], to: .grace)
        try await sees(grace, layer: 1)
        let edsger = try await fixture.join(.edsger)
        var random = SeededGenerator(seed: 7)
        await edsger.film(VideoPublisher(ssrcs: [11], using: &random))
        try await eventually("his packets to be refused") { fixture.dropped(.ssrc) > 10 }
        let numbers = labels(grace).map(\.index)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 || $0 == $1 })
        await fixture.owners.end(tile: 1)
        let refused = fixture.dropped(.ssrc)
        try await eventually("hers to be refused") { fixture.dropped(.ssrc) > refused + 60 }
        try await grace.show()
        let mark = grace.videos.entries.count
        _ = try await ada.show()
        #expect(grace.videos.entries.count == mark)
      }
    }

    @Test func `an attendee without the right to send video is not seen`() async throws {
      try await withCamera { fixture, _, grace in
        await fixture.owners.forward([1: 1], to: .grace)
        try await sees(grace, layer: 1)
        try await fixture.gateway.set(.capabilities(.all(video: .receive)), of: .ada)
        try await grace.show()
        let mark = grace.videos.entries.count
        let refused = fixture.dropped(.rights)
        try await eventually("refusals") { fixture.dropped(.rights) > refused + 10 }
        try await grace.show()
        #expect(grace.videos.entries.count == mark)
      }
    }

    @Test func `camera and content of one attendee have separate streams and rights`() async throws
    {
      try await withCamera { fixture, _, grace in
        let share = try await fixture.join(.ada.content)
        await fixture.owners.publish(
          ScriptedOwners.camera(21, tile: 2, track: 9_002), by: .ada.content)
        await fixture.owners.forward([1: 1, 2: 1], to: .grace)
        var random = SeededGenerator(seed: 2)
        await share.film(VideoPublisher(ssrcs: [21], using: &random))
        try await grace.videos.wait(for: "both") { videos in
          Set(videos.compactMap { RTPNumbers($0)?.ssrc }) == [9_001, 9_002]
        }
        try await fixture.gateway.set(.capabilities(.all(video: .receive)), of: .ada)
        try await grace.show()
        let mark = grace.videos.entries.count
        try await grace.videos.wait(for: "content") { $0.count > mark + 10 }
        let later = grace.videos.entries.dropFirst(mark).compactMap { RTPNumbers($0)?.ssrc }
        #expect(Set(later) == [9_002])
      }
    }

    @Test func `a receiver that vanishes during a stream does not disturb other receivers`()
      async throws
    {
      try await withCamera { fixture, _, grace in
        let edsger = try await fixture.join(.edsger)
        await fixture.owners.forward([1: 1], to: .grace)
        await fixture.owners.forward([1: 1], to: .edsger)
        try await sees(grace, layer: 1)
        try await sees(edsger, layer: 1)
        await edsger.close()
        try await eventually("edsger to be gone") {
          try await fixture.gateway.statistics(of: .edsger)?.isConnected == false
        }
        let mark = grace.videos.entries.count
        try await grace.videos.wait(for: "more") { $0.count > mark + 10 }
        // After the reconnect, the track starts with a key frame.
        let again = try await fixture.connect(.edsger)
        try await again.show()
        try await sees(again, layer: 1)
        #expect(labels(again).first?.isKey == true)
      }
    }

    @Test func `a publisher that reconnects is seen again`() async throws {
      try await withCamera { fixture, ada, grace in
        await fixture.owners.forward([1: 1], to: .grace)
        try await sees(grace, layer: 1)
        await ada.close()
        try await eventually("ada to be gone") {
          try await fixture.gateway.statistics(of: .ada)?.isConnected == false
        }
        let again = try await fixture.connect(.ada)
        try await again.show()
        var random = SeededGenerator(seed: 4)
        let mark = grace.videos.entries.count
        await again.film(VideoPublisher(ssrcs: [11, 12], using: &random))
        try await sees(grace, layer: 1, after: mark)
      }
    }

    @Test func `a new codec is forwarded, even if packets arrive before the codec is announced`()
      async throws
    {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        let grace = try await fixture.join(.grace)
        await fixture.owners.publish(ScriptedOwners.camera(11, codec: .h264), by: .ada)
        await fixture.owners.forward([1: 1], to: .grace)
        try await ada.keyFrameRequests.wait(for: "the request") { $0.contains(11) }
        var random = SeededGenerator(seed: 1)
        await ada.film(VideoPublisher(ssrcs: [11], using: &random))
        try await eventually("packets to be refused") { fixture.dropped(.payloadType) > 0 }
        #expect(grace.videos.entries.isEmpty)
        await fixture.owners.publish(ScriptedOwners.camera(11), by: .ada)
        try await sees(grace, layer: 1)
      }
    }

    @Test func `pictures continue without a break while their source changes its sizes`()
      async throws
    {
      // Decisions about sizes reach media before and after pictures of the new size. Media accepts
      // both, because the router does not know the sizes that a publisher declares.
      try await withCamera { fixture, ada, grace in
        await fixture.owners.forward([1: 1], to: .grace)
        try await sees(grace, layer: 1)
        let requests = ada.keyFrameRequests.entries.count
        for width in [320, 1_280, 640] as [UInt32] {
          let mark = grace.videos.entries.count
          var source = ScriptedOwners.camera(11, 12)
          for index in source.layers.indices { source.layers[index].width = width }
          await fixture.owners.publish(source, by: .ada)
          try await grace.videos.wait(for: "more") { $0.count > mark + 10 }
        }
        let numbers = labels(grace).map(\.index)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 })
        #expect(ada.keyFrameRequests.entries.count == requests)
        #expect(fixture.dropped(.ssrc) == 0 && fixture.dropped(.payloadType) == 0)
      }
    }

    @Test
    func `media waits longer before each retry if every decision stream loses an update`()
      async throws
    {
      try await withMediaService { fixture in
        await fixture.owners.loseUpdates(true)
        let ada = try await fixture.join(.ada)
        let grace = try await fixture.join(.grace)
        try await fixture.owners.watches.wait(for: "media to follow") { !$0.isEmpty }
        let began = ContinuousClock.now
        try await fixture.owners.watches.wait(for: "four more attempts") { $0.count >= 5 }
        // The pauses of 100, 200, 400 and 800 ms are shorter or longer by at most a quarter.
        #expect(ContinuousClock.now - began >= .milliseconds(1_100))
        await fixture.owners.loseUpdates(false)
        await fixture.owners.publish(ScriptedOwners.camera(11), by: .ada)
        await fixture.owners.forward([1: 1], to: .grace)
        var random = SeededGenerator(seed: 1)
        await ada.film(VideoPublisher(ssrcs: [11], using: &random))
        try await sees(grace, layer: 1)
      }
    }

    @Test func `the first frames of a source arrive even if the source is announced late`()
      async throws
    {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        let grace = try await fixture.join(.grace)
        await fixture.owners.forward([1: 1], to: .grace)
        try await fixture.owners.watches.wait(for: "media to follow") { !$0.isEmpty }
        var random = SeededGenerator(seed: 1)
        var camera = VideoPublisher(ssrcs: [11], using: &random)
        for packet in camera.nextFrame() + camera.nextFrame() { await ada.send(packet) }
        try await ada.show()
        await fixture.owners.publish(ScriptedOwners.camera(11), by: .ada)
        await ada.film(camera)
        try await sees(grace, layer: 1)
        #expect(labels(grace).first?.index == 0)
        #expect(fixture.dropped(.ssrc) == 0)
      }
    }

    @Test func `a decision applies to clients that join after the decision`() async throws {
      try await withMediaService { fixture in
        await fixture.owners.publish(ScriptedOwners.camera(11), by: .ada)
        await fixture.owners.forward([1: 1], to: .grace)
        let ada = try await fixture.join(.ada)
        let grace = try await fixture.join(.grace)
        var random = SeededGenerator(seed: 1)
        await ada.film(VideoPublisher(ssrcs: [11], using: &random))
        try await sees(grace, layer: 1)
      }
    }
  }
}
