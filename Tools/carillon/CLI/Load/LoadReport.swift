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

  var record: Record {
    [
      "joined": JSONValue(joined), "failed": JSONValue(failed),
      "reconnects": JSONValue(reconnects), "join_p50_us": Self.whole(joins.p50),
      "join_p99_us": Self.whole(joins.p99), "messages_sent": JSONValue(sent),
      "messages_refused": JSONValue(refused), "deliveries": JSONValue(delivered),
      "deliveries_lost": JSONValue(max(expected - delivered, 0)),
      "delivery_p50_us": Self.whole(deliveries.p50),
      "delivery_p99_us": Self.whole(deliveries.p99),
    ]
  }

  private static func whole(_ time: Duration?) -> JSONValue {
    time.map { .integer(Int($0 / .microseconds(1))) } ?? .null
  }
}
