import ClientTestSupport
import Foundation
import TestSupport
import Testing
import Trials
import Wire

@testable import CarillonClientCore

struct SessionMediaTests {
  private static let moved = V1.MediaMoved(
    endpoint: "ipc:///run/media", ticket: [UInt8](repeating: 5, count: 16),
    format: V1.MediaFormat(
      payloads: [
        V1.RtpPayload(payloadType: 111, encoding: "opus", clockRate: 48_000),
        V1.RtpPayload(payloadType: 96, encoding: "VP8", clockRate: 90_000),
        V1.RtpPayload(payloadType: 102, encoding: "H264", clockRate: 90_000),
      ], audioLevelExtensionID: 1, audioSendSSRC: 11, audioReceiveSSRC: 12, maxPacketBytes: 1200),
    term: 3)

  private static let place = MediaEndpoint(
    endpoint: "ipc:///run/media", ticket: [UInt8](repeating: 5, count: 16), term: 3,
    format: MediaRTPParameters(
      opus: 111, vp8: 96, h264: 102, levelExtension: 1, audioSent: 11, audioReceived: 12,
      maxPacketBytes: 1200))

  private func join(
    _ body: @escaping @Sendable (ConnectedClient, NotedMedia, ScriptedGateway) async throws -> Void
  ) async throws {
    try await withScriptedGateway { gateway in
      let media = NotedMedia()
      let client = ConnectedClient(to: gateway.url, media: media)
      try await client.join()
      try await body(client, media, gateway)
      client.audioVideo.stop()
      try await client.hears("stopped ok")
      try await media.told.wait(for: "the end") { $0.last == .end }
    }
  }

  private func wait(_ media: NotedMedia, for told: NotedMedia.Note) async throws {
    try await media.told.wait(for: "\(told)") { $0.contains(told) }
  }

  @Test
  func `the media engine gets the media server's address, the mute state and the measurements`()
    async throws
  {
    try await join { client, media, gateway in
      #expect(
        media.told.entries.first
          == .begin(
            {
              var settings = SessionMediaSettings()
              settings.audioMode = .stereo48K
              return settings
            }()))
      #expect(gateway.starts.entries.last?.audio == .sendReceive)
      gateway.say(.mediaMoved(Self.moved))
      try await wait(media, for: .move(Self.place))
      #expect(client.audioVideo.realtimeLocalMute())
      #expect(media.told.entries.last == .mute(true))
      gateway.say(
        .mediaMetrics(
          .init(
            epoch: 1, tick: 1, audioSend: .init(packets: 50, lossPpm: 25_000),
            audioReceiveConcealedPackets: 7)))
      let figures = ServerMeasuredMetrics(
        audioSendLossPercent: 2.5, audioReceiveConcealedPackets: 7)
      try await wait(media, for: .figures(figures))
    }
  }

  @Test(arguments: [true, false])
  func `audio is sent with redundancy if the configuration requests it`(
    isEnabled: Bool
  ) async throws {
    try await withScriptedGateway { gateway in
      let media = NotedMedia()
      let client = ConnectedClient(to: gateway.url, media: media)
      try client.audioVideo.start(
        audioVideoConfiguration: AudioVideoConfiguration(enableAudioRedundancy: isEnabled))
      try await client.hears("started false")
      var settings = SessionMediaSettings()
      settings.hasAudioRedundancy = isEnabled
      #expect(media.told.entries.first == .begin(settings))
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }

  @Test func `the media engine gets the sinks of encoded video`() async throws {
    try await join { client, media, _ in
      let sink = EncodedNothing()
      let video = client.meetingSession.encodedVideo
      video.addEncodedVideoSink(sink: sink, tileId: 7)
      video.removeEncodedVideoSink(sink: sink, tileId: 7)
      #expect(media.told.entries.suffix(2) == [.addSink(tileId: 7), .removeSink(tileId: 7)])
    }
  }

  @Test func `a media server without a valid ticket is ignored`() async throws {
    try await join { client, media, gateway in
      var moved = Self.moved
      moved.ticket = [1]
      gateway.say(.mediaMoved(moved))
      gateway.say(.mediaMoved(Self.moved))
      try await wait(media, for: .move(Self.place))
      #expect(!media.told.entries.contains { $0 != .move(Self.place) && "\($0)".hasPrefix("move") })
    }
  }

  @Test func `the rewriter is called once for each media server`() async throws {
    try await withScriptedGateway { gateway in
      let media = NotedMedia()
      let asked = AwaitableEntryList<String>()
      let client = ConnectedClient(
        to: gateway.url, media: media,
        urlRewriter: { url in
          asked.append(url)
          return url.replacingOccurrences(of: "/run/", with: "/proxy/")
        })
      try await client.join()
      gateway.say(.mediaMoved(Self.moved))
      var place = Self.place
      place.endpoint = "ipc:///proxy/media"
      try await wait(media, for: .move(place))
      var elsewhere = Self.moved
      (elsewhere.endpoint, elsewhere.term) = ("ipc:///run/other", 4)
      gateway.say(.mediaMoved(elsewhere))
      (place.endpoint, place.term) = ("ipc:///proxy/other", 4)
      try await wait(media, for: .move(place))
      // The configuration's initializer has rewritten the addresses.
      #expect(asked.entries == ["ipc:///run/media", "ipc:///run/other"])
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }

  @Test func `the media engine gets the SSRCs and the frames of each publication`() async throws {
    try await join { client, media, _ in
      let source = ScriptedSource()
      client.audioVideo.startLocalVideo(source: source)
      let told = try await media.told.wait(for: "the publication") { told in
        told.contains { if case .publish(.some) = $0 { true } else { false } }
      }
      let publications = told.compactMap { entry -> VideoPublication? in
        if case .publish(let publication) = entry { publication } else { nil }
      }
      #expect(publications.last?.layers.map(\.ssrc) == [901, 902, 903])
      source.give(.blank())
      let number = try #require(publications.last?.number)
      try await wait(media, for: .frame(number))
      client.audioVideo.stopLocalVideo()
      try await wait(media, for: .publish(nil))
    }
  }

  @Test func `a lost media connection drops the session until the connection is restored`()
    async throws
  {
    try await join { client, media, _ in
      media.delegate?.mediaConnectionDidChange(isLost: true)
      try await client.hears("dropped")
      media.delegate?.mediaConnectionDidChange(isLost: false)
      try await client.hears("started true")
    }
  }
}

/// A sink that ignores its frames.
final class EncodedNothing: EncodedVideoSink {
  func onEncodedFrameReceived(frame: EncodedFrame) {}
}
