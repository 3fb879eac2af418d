internal import Output

/// The results of a load test.
struct LoadTestReport: Hashable, Sendable {
  let joined: Int
  let failed: Int
  let reconnects: Int
  let joins: Percentiles
  let sent: Int
  let refused: Int
  let expected: Int
  let delivered: Int
  let deliveries: Percentiles

  /// The share of time in which this process itself was busy, in per cent.
  var busyPercent = 0

  /// The smallest busy share at which this process is too slow to measure the services, in per
  /// cent.
  private static let busy = 90

  /// A warning if this process was the bottleneck; otherwise `nil`.
  var warning: String? {
    guard busyPercent >= Self.busy else { return nil }
    return "this tool was busy \(busyPercent) % of the time: the figures are the tool's, not the "
      + "services'; use fewer attendees, or a release build."
  }

  /// The results of sound and pictures; `nil` for a load test without sound and pictures.
  var media: Media?

  /// The results of sound and pictures.
  struct Media: Hashable, Sendable {
    /// The share of time in which a client heard speech, in per cent. The speaking clients speak
    /// all the time.
    ///
    /// This is the value of the client that heard speech for the shortest time.
    let heardPercent: Int?
    /// The frame rate at which a client saw one camera: the mean over all clients that saw a
    /// camera.
    let framesPerSecond: Int?

    /// - Parameters:
    ///   - counts: The counts by client number.
    ///   - seconds: The duration of the count.
    init?(_ counts: [Int: MediaTally.Counts], of cast: LoadMediaPlan, seconds: Int) {
      guard !counts.isEmpty else { return nil }
      heardPercent = counts.filter { cast.heard(by: $0.key) > 0 }
        .map { $0.value.spoken * 100 / max($0.value.pieces, 1) }.min()
      let watched = counts.filter { cast.seen(by: $0.key) > 0 }
      let cameras = watched.keys.map(cast.seen).reduce(0, +)
      let frames = watched.values.map(\.frames).reduce(0, +)
      framesPerSecond = cameras > 0 ? frames / max(cameras * seconds, 1) : nil
    }

    fileprivate var record: OutputRecord {
      [
        "heard_percent": heardPercent.map { JSONValue($0) } ?? .null,
        "frames_per_second": framesPerSecond.map { JSONValue($0) } ?? .null,
      ]
    }
  }

  var record: OutputRecord {
    OutputRecord(messages.fields + (media?.record.fields ?? []))
  }

  private var messages: OutputRecord {
    [
      "joined": JSONValue(joined), "failed": JSONValue(failed),
      "reconnects": JSONValue(reconnects), "join_p50_us": Self.whole(joins.p50),
      "join_p99_us": Self.whole(joins.p99), "messages_sent": JSONValue(sent),
      "messages_refused": JSONValue(refused), "deliveries": JSONValue(delivered),
      "deliveries_lost": JSONValue(max(expected - delivered, 0)),
      "delivery_p50_us": Self.whole(deliveries.p50),
      "delivery_p99_us": Self.whole(deliveries.p99), "tool_busy_percent": JSONValue(busyPercent),
    ]
  }

  private static func whole(_ time: Duration?) -> JSONValue {
    time.map { .integer(Int($0 / .microseconds(1))) } ?? .null
  }
}
