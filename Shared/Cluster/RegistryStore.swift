internal import Bus
internal import Dispatch
internal import Foundation
internal import PostgreSQL

/// The registry's tables in PostgreSQL. One connection serves all calls. The type opens the
/// connection at the first call that needs it.
///
/// - `service_term`: the last term of each service. No process deletes a row.
/// - `instance`: the registered instances, and the time of each instance's last heartbeat, in
///   milliseconds since 1970 by the store's clock. `endpoints` and `cluster_endpoints` are JSON
///   objects.
///
/// `@unchecked Sendable`: only the queue accesses the variables.
final class RegistryStore: @unchecked Sendable {
  private let address: PostgresAddress
  private let host: String
  private let queue = DispatchQueue(label: "carillon.registry")
  private var connection: PostgresConnection?
  private var failedAt: ContinuousClock.Instant?
  private var judge = LiveInstances()
  private var known: [RegisteredInstance] = []
  private var knownAt: ContinuousClock.Instant?

  /// The timeout for a connection attempt or an answer.
  private static let timeout = Duration.milliseconds(1_500)

  /// The time after a failure during which every call fails immediately, without contacting the
  /// store.
  private static let pause = Duration.milliseconds(250)

  /// How long later calls of ``look()`` may return the same result.
  private static let freshness = Duration.milliseconds(200)

  /// - Parameter host: The machine of this process.
  init(_ address: PostgresAddress, askedFrom host: String) {
    self.address = address
    self.host = host
  }

  // MARK: Registering

  func takeTerm(of service: String, above known: UInt64) throws(InstanceRegistryError) -> UInt64 {
    try askDurably { connection in
      let rows = try connection.query(
        """
        INSERT INTO service_term (service, last) VALUES ($1, $2)
        ON CONFLICT (service) DO UPDATE SET last = greatest(service_term.last + 1, excluded.last)
        RETURNING last
        """, [.text(service), .integer(Int64(clamping: known) + 1)]
      ).rows
      return UInt64(clamping: try Self.number(rows.first?.first))
    }
  }

  /// - Throws: ``InstanceRegistryError/instanceIsTaken(_:)`` while an instance of another machine
  ///   has the name.
  func insert(
    _ announcement: InstanceAnnouncement, term: UInt64
  ) throws(InstanceRegistryError) {
    let isIn = try askDurably { connection in
      try connection.send(
        "DELETE FROM instance WHERE beat_at < \(Self.clock) - $1", [.integer(Self.remainsLimit)])
      let now = UInt64(Date().timeIntervalSince1970 * 1_000)
      return try connection.query(
        """
        INSERT INTO instance (service, instance, host, term, endpoints, cluster_endpoints,
          process_id, started_at, beat_at, meetings, is_draining)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, \(Self.clock), 0, 0)
        ON CONFLICT (service, instance) DO UPDATE SET host = excluded.host, term = excluded.term,
          endpoints = excluded.endpoints, cluster_endpoints = excluded.cluster_endpoints,
          process_id = excluded.process_id, started_at = excluded.started_at,
          beat_at = excluded.beat_at, meetings = 0, is_draining = 0
        WHERE instance.host = excluded.host OR instance.beat_at < excluded.beat_at - $9
        RETURNING term
        """,
        [
          .text(announcement.service), .text(announcement.instance), .text(host),
          .integer(Int64(clamping: term)), .text(Self.json(announcement.endpoints)),
          .text(Self.json(announcement.clusterEndpoints)),
          .integer(Int64(ProcessInfo.processInfo.processIdentifier)),
          .integer(Int64(clamping: now)), .integer(LiveInstances.heartbeatLimit),
        ]
      ).rows.count == 1
    }
    guard isIn else { throw .instanceIsTaken(announcement.instance) }
  }

  func remove(_ instance: String, of service: String, term: UInt64) throws(InstanceRegistryError) {
    try askDurably { connection in
      _ = try connection.query(
        "DELETE FROM instance WHERE service = $1 AND instance = $2 AND term = $3",
        [.text(service), .text(instance), .integer(Int64(clamping: term))])
    }
  }

  /// Marks an instance as dead, regardless of the age of its heartbeat.
  func bury(_ instance: String, of service: String, term: UInt64) throws(InstanceRegistryError) {
    try askDurably { connection in
      _ = try connection.query(
        "UPDATE instance SET beat_at = 0 WHERE service = $1 AND instance = $2 AND term = $3",
        [.text(service), .text(instance), .integer(Int64(clamping: term))])
    }
    queue.sync { knownAt = nil }
  }

  func setDraining(
    _ isDraining: Bool, _ instance: String, of service: String
  ) throws(InstanceRegistryError) {
    try askDurably { connection in
      _ = try connection.query(
        "UPDATE instance SET is_draining = $3 WHERE service = $1 AND instance = $2",
        [.text(service), .text(instance), .integer(isDraining ? 1 : 0)])
    }
    queue.sync { knownAt = nil }
  }

  // MARK: Heartbeats

  /// Records a heartbeat of an instance.
  ///
  /// - Throws: ``InstanceRegistryError/instanceIsTaken(_:)`` if the name now belongs to another run
  ///   of the instance.
  func beat(
    _ instance: String, of service: String, term: UInt64, meetings: Int
  ) throws(InstanceRegistryError) {
    let isKnown = try ask { connection in
      let count = try connection.query(
        """
        UPDATE instance SET beat_at = \(Self.clock), meetings = $4
        WHERE service = $1 AND instance = $2 AND term = $3
        """,
        [
          .text(service), .text(instance), .integer(Int64(clamping: term)),
          .integer(Int64(meetings)),
        ]
      ).count
      return count == 1
    }
    guard isKnown else { throw .instanceIsTaken(instance) }
  }

  /// Returns all instances, live or not, ordered by service and name.
  func look() throws(InstanceRegistryError) -> [RegisteredInstance] {
    let cached = queue.sync {
      knownAt.flatMap { .now - $0 < Self.freshness ? known : nil }
    }
    if let cached { return cached }
    let look = try ask(Self.look)
    return queue.sync {
      known = judge.take(look, on: host, at: .now)
      knownAt = .now
      return known
    }
  }

  private static func look(_ connection: PostgresConnection) throws -> LiveInstances.Look {
    let result = try connection.query(
      """
      SELECT service, instance, host, term, endpoints, cluster_endpoints, process_id, started_at,
        meetings, is_draining, beat_at
      FROM instance ORDER BY service, instance
      """)
    let times = try connection.query(
      """
      SELECT \(clock), floor(extract(epoch FROM pg_postmaster_start_time()) * 1000)::BIGINT
      """
    ).rows.first
    // This code omits an unreadable row, so that one unreadable row does not hide all other rows.
    return LiveInstances.Look(
      rows: result.rows.compactMap { try? row($0) }, now: try number(times?.first),
      startedAt: try number(times?.last))
  }

  private static func row(_ values: [PostgresValue]) throws -> LiveInstances.Row {
    let announcement = InstanceAnnouncement(
      service: try text(values[0]), instance: try text(values[1]),
      endpoints: try endpoints(values[4]), clusterEndpoints: try endpoints(values[5]),
      host: try text(values[2]))
    return LiveInstances.Row(
      announcement: announcement, term: UInt64(clamping: try number(values[3])),
      processID: Int32(clamping: try number(values[6])),
      startedAt: UInt64(clamping: try number(values[7])),
      meetings: Int(clamping: try number(values[8])), isDraining: try number(values[9]) != 0,
      beatAt: try number(values[10]))
  }

  // MARK: Queries

  /// The age at which the store deletes the row of a dead instance, in milliseconds.
  private static let remainsLimit: Int64 = 600_000

  /// The SQL expression for the store's clock, in milliseconds since 1970. It returns the present
  /// time, and not the time at which the transaction started.
  private static let clock = "floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT"

  private func ask<Answer: Sendable>(
    _ body: (PostgresConnection) throws -> Answer
  ) throws(InstanceRegistryError) -> Answer {
    let result = queue.sync { () -> Result<Answer, any Error> in
      if let failedAt, .now - failedAt < Self.pause {
        return .failure(InstanceRegistryError.storeIsAway("\(address)"))
      }
      let wasIdle = connection != nil
      var result = attempt(body)
      if case .failure(let error as PostgresError) = result, error.isBroken, wasIdle {
        // The server closed the idle connection. It is safe to run every statement twice, so this
        // code runs `body` again.
        result = attempt(body)
      }
      if case .failure = result { failedAt = .now } else { failedAt = nil }
      return result
    }
    do { return try result.get() } catch let error as InstanceRegistryError { throw error } catch {
      throw .storeIsAway("\(address): \(error)")
    }
  }

  /// Runs statements whose changes survive a crash of the server. So the store never issues a term
  /// twice, and does not forget a registered instance.
  private func askDurably<Answer: Sendable>(
    _ body: (PostgresConnection) throws -> Answer
  ) throws(InstanceRegistryError) -> Answer {
    try ask { connection in
      try connection.send("BEGIN")
      try connection.send("SET LOCAL synchronous_commit TO on")
      let answer = try body(connection)
      _ = try connection.query("COMMIT")
      return answer
    }
  }

  private func attempt<Answer>(
    _ body: (PostgresConnection) throws -> Answer
  ) -> Result<Answer, any Error> {
    Result {
      do {
        let used = try connection ?? open()
        connection = used
        return try body(used)
      } catch {
        connection = nil
        throw error
      }
    }
  }

  private func open() throws -> PostgresConnection {
    let connection = try PostgresConnection.open(
      to: address, timeout: Self.timeout, applicationName: "carillon registry")
    try connection.run(script: Self.tables)
    return connection
  }

  /// The statements that make the tables. A lock serialises processes that start at the same time.
  /// Heartbeats need not reach the disk or a standby: a server that loses some heartbeats gets
  /// newer heartbeats within seconds.
  private static let tables = """
    BEGIN;
    SELECT pg_advisory_xact_lock(hashtext('carillon_registry'));
    CREATE SCHEMA IF NOT EXISTS carillon_registry;
    SET search_path TO carillon_registry, pg_catalog;
    CREATE TABLE IF NOT EXISTS service_term (
      service TEXT NOT NULL PRIMARY KEY,
      last BIGINT NOT NULL
    );
    CREATE TABLE IF NOT EXISTS instance (
      service TEXT COLLATE "C" NOT NULL,
      instance TEXT COLLATE "C" NOT NULL,
      host TEXT NOT NULL,
      term BIGINT NOT NULL,
      endpoints TEXT NOT NULL,
      cluster_endpoints TEXT NOT NULL,
      process_id BIGINT NOT NULL,
      started_at BIGINT NOT NULL,
      beat_at BIGINT NOT NULL,
      meetings BIGINT NOT NULL,
      is_draining BIGINT NOT NULL,
      PRIMARY KEY (service, instance)
    );
    COMMIT;
    SET synchronous_commit TO off
    """

  // MARK: Values

  private struct Damage: Error {}

  private static func number(_ value: PostgresValue?) throws -> Int64 {
    guard case .integer(let number) = value else { throw Damage() }
    return number
  }

  private static func text(_ value: PostgresValue?) throws -> String {
    guard case .text(let text) = value else { throw Damage() }
    return text
  }

  private static func endpoints(_ value: PostgresValue?) throws -> [String: String] {
    try JSONDecoder().decode([String: String].self, from: Data(text(value).utf8))
  }

  private static func json(_ endpoints: [String: String]) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = (try? encoder.encode(endpoints)) ?? Data("{}".utf8)
    return String(decoding: data, as: UTF8.self)
  }
}
