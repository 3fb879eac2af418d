/// A duty that one gateway of an installation performs for all gateways.
public enum GatewayDuty: String, Sendable {
  /// Posts the events of meetings to the receivers of webhooks.
  case webhooks
}

/// The rows of leases on duties.
enum LeaseTable {
  /// Takes or renews the lease on a duty.
  ///
  /// - Returns: Whether `holder` has the lease now.
  static func take(
    _ duty: GatewayDuty, as holder: String, until end: Int64, at now: Int64, in database: Database
  ) throws -> Bool {
    try database.changes(
      """
      INSERT INTO lease (name, holder, expires_at) VALUES (?1, ?2, ?3)
      ON CONFLICT (name) DO UPDATE SET holder = ?2, expires_at = ?3
      WHERE lease.holder = ?2 OR lease.expires_at <= ?4
      """, [duty.rawValue, holder, end, now]) > 0
  }

  static func holder(of duty: GatewayDuty, in database: Database) throws -> String? {
    try database.row("SELECT holder FROM lease WHERE name = ?", [duty.rawValue])?.text("holder")
  }
}
