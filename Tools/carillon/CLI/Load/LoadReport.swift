internal import Output

/// What came of a load.
struct LoadReport: Hashable, Sendable {
  let joined: Int
  let failed: Int
  let reconnects: Int
  let joins: Percentiles
  let sent: Int
  let refused: Int
  let expected: Int
  let delivered: Int
  let deliveries: Percentiles

  /// How much of the time this process itself was busy, in hundredths.
  var busyPercent = 0

  /// From here on this process is too slow to measure the services.
  private static let busy = 90

  /// What is to be said of the figures when this process was the slowest part.
  var warning: String? {
    guard busyPercent >= Self.busy else { return nil }
    return "this tool was busy \(busyPercent) % of the time: the figures are the tool's, not the "
      + "services'; use fewer attendees, or a release build."
  }

  /// `nil` of a load without sound and pictures.
  var media: Media?

  /// What came of sound and pictures.
  struct Media: Hashable, Sendable {
    /// In how much of the time a client heard those who speak without a pause, in hundredths: the
    /// one that heard least.
    let heardPercent: Int?
    /// Frames of a camera that a client saw each second, of all who saw one.
    let framesPerSecond: Int?

    /// - Parameters:
    ///   - counts: By the client's number.
    ///   - seconds: For how long it was counted.
    init?(_ counts: [Int: MediaTally.Counts], of cast: LoadCast, seconds: Int) {
      guard !counts.isEmpty else { return nil }
      heardPercent = counts.filter { cast.heard(by: $0.key) > 0 }
        .map { $0.value.spoken * 100 / max($0.value.pieces, 1) }.min()
      let watched = counts.filter { cast.seen(by: $0.key) > 0 }
      let cameras = watched.keys.map(cast.seen).reduce(0, +)
      let frames = watched.values.map(\.frames).reduce(0, +)
      framesPerSecond = cameras > 0 ? frames / max(cameras * seconds, 1) : nil
    }

    fileprivate var record: Record {
      [
        "heard_percent": heardPercent.map { JSONValue($0) } ?? .null,
        "frames_per_second": framesPerSecond.map { JSONValue($0) } ?? .null,
      ]
    }
  }

  var record: Record {
    Record(messages.fields + (media?.record.fields ?? []))
  }

  private var messages: Record {
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
