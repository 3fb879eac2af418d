import ArgumentParser
import MeetingModel
import ServiceHost

/// The options of the control API, except the options for its address and its authentication.
struct ControlOptions: ParsableArguments {
  @Option(help: "Account in every ARN, 12 digits.")
  var account = "000000000000"

  @Option(
    help:
      "Region in every ARN, for every media region: 1-64 characters of a-z, 0-9 and -.")
  var controlRegion = "us-east-1"

  @Option(
    help: "Media regions that meetings may name besides the published ones, separated by commas.")
  var mediaRegions: String?

  @Option(help: "Maximum number of meetings at once, 0-1000000; 0: no limit.")
  var maxMeetings = 0

  @Option(help: "Maximum number of replicas of a meeting at once, 1-40.")
  var maxReplicas = 4

  @Option(
    help:
      """
      Maximum requests to the control API of this gateway per second, of all keys together, \
      0-100000; 0: no limit. The gateway throttles further requests.
      """)
  var restRequestsPerSecond = 0

  @Option(help: "Burst of requests to the control API beyond that rate, 1-100000.")
  var restRequestBurst = 20

  func validate() throws {
    try Self.check(maxMeetings, 0...1_000_000, "--max-meetings")
    try Self.check(maxReplicas, 1...40, "--max-replicas")
    try Self.check(restRequestsPerSecond, 0...100_000, "--rest-requests-per-second")
    try Self.check(restRequestBurst, 1...100_000, "--rest-request-burst")
    do {
      try ControlSettings.check(account: account, controlRegion: controlRegion)
    } catch {
      throw ValidationError(error.message)
    }
    for region in additionalRegions where !(2...64).contains(region.unicodeScalars.count) {
      throw ValidationError("--media-regions must be names of 2-64 characters; got \(region).")
    }
  }

  var additionalRegions: Set<String> {
    Set((mediaRegions ?? "").split(separator: ",").map { String($0) })
  }

  /// Returns the rate limit of requests; `nil` if there is no limit.
  func makeRequestRate() -> GlobalRequestLimit? {
    guard restRequestsPerSecond > 0 else { return nil }
    return GlobalRequestLimit(RateLimit(perSecond: restRequestsPerSecond, burst: restRequestBurst))
  }
}
