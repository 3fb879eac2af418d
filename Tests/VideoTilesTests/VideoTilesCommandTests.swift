import ArgumentParser
import Ownership
import ServiceHost
import Testing

@testable import VideoTiles

@Suite struct VideoTilesCommandTests {
  @Test func `the flags set the limits and timeouts`() throws {
    let command = try VideoTilesCommand.parse([
      "--max-cameras", "9", "--max-content-shares", "1", "--max-videos-without-subscription", "4",
      "--drop-after-seconds", "2", "--gateway-grace-seconds", "30", "--recovery-seconds", "4",
    ])
    #expect(
      command.rules
        == VideoTilesRules(
          maxCameras: 9, maxContentShares: 1, maxVideosWithoutSubscription: 4,
          timing: OwnerGracePeriods(
            dropAfter: .seconds(2), gatewayGrace: .seconds(30), recovery: .seconds(4))))
    #expect(try VideoTilesCommand.parse([]).rules == VideoTilesRules())
    #expect(VideoTilesCommand.serviceName == "video-tiles")
  }

  @Test(arguments: [
    "--max-cameras=1001", "--max-content-shares=101", "--max-videos-without-subscription=1001",
    "--drop-after-seconds=0", "--gateway-grace-seconds=301", "--recovery-seconds=0",
    "--replay-events=15",
  ])
  func `a flag value outside its range is refused, and the error names the range`(flag: String) {
    let error = #expect(throws: (any Error).self) { try VideoTilesCommand.parse([flag]) }
    let message = error.map { VideoTilesCommand.message(for: $0) } ?? ""
    #expect(message.contains("must be"))
  }
}
