/// Measures how many mute requests `presence` handles at its own socket, in twelve meetings of four
/// attendees. No subscriber receives the events.
struct PresenceScaling: ScalingBenchmark {
  let options: MeasurementOptions
  let name = "scale.presence"
  let unit = "mutes/s"

  private static let meetings = 12
  private static let attendees = 4
  private static let mutes = 240_000

  /// The number of outstanding mutes in all meetings together.
  private static let window = 192

  func throughput(of instances: Int) async throws -> Throughput {
    // The benchmark runs no gateway that sends heartbeats, so `presence` must tolerate the silence.
    let flags = ["--gateway-grace-seconds", "300"]
    return try await BenchmarkServiceInstances.hold("presence", count: instances, flags: flags) {
      presence in
      let meetings = try presence.makeMeetings(Self.meetings)
      let crowd = try Crowd(options, ["mute", meetings, "\(Self.attendees)"])
      defer { crowd.end() }
      _ = try crowd.fan(events: Self.mutes / 10, window: Self.window)
      return try Throughput(
        of: Self.mutes, by: try presence.processIDs, for: [crowd.processID]
      ) { _ = try crowd.fan(events: Self.mutes, window: Self.window) }
    }
  }
}
