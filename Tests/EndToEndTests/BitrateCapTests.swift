import AdaptiveTrials
import CarillonClient
import TestSupport
import Testing
import Trials

extension EndToEnd {
  /// Tests of `maxBitRateKbps` with pictures that do not compress well.
  struct BitrateCapTests {
    private static let cap: UInt32 = 200

    @Test func `a camera and a content share send noisy pictures within the bitrate limit`()
      async throws
    {
      try await withMeeting { meeting in
        let ada = try await MediaParticipant("ada", in: meeting)
        let ben = try await MediaParticipant("ben", in: meeting)
        for participant in [ada, ben] { try await participant.join() }
        ben.audioVideo.startRemoteVideo()
        let pictures = NoisyPictures(width: 320, height: 180, count: 8)
        let (camera, screen) = (NoisyCamera(pictures), NoisyCamera(pictures))
        for source in [camera, screen] { source.start() }
        defer { for source in [camera, screen] { source.stop() } }
        let configuration = LocalVideoConfiguration(maxBitRateKbps: Self.cap)
        ada.audioVideo.startLocalVideo(source: camera, config: configuration)
        let content = ContentShareSource()
        content.videoSource = screen
        ada.audioVideo.startContentShare(source: content, config: configuration)
        for tile in try await ben.tiles(2) { try await ben.sees(5, of: tile) }

        // Skip the initial burst: a sender may use half a second of its bitrate in advance.
        let begun = ada.figures.entries.count + 2
        let seconds = 5
        try await ada.figures.wait(for: "figures", within: .seconds(20)) {
          $0.count >= begun + seconds
        }
        let figures = ada.figures.entries[begun..<begun + seconds]
        for metric in [ObservableMetric.videoSendBitrate, .contentShareVideoSendBitrate] {
          let mean = figures.compactMap { $0[metric] }.reduce(0, +) / Double(seconds * 1_000)
          print("\(metric): \(Int(mean)) kbit/s of \(Self.cap).")
          // The bitrate includes probes of the link.
          #expect(mean <= Double(Self.cap) * 1.2)
          #expect(mean >= Double(Self.cap) / 4)
        }
        for participant in [ada, ben] { try await participant.leave() }
      }
    }
  }
}
