/// The server settings that decide how durable an acknowledged commit is.
public struct PostgresDurability: Hashable, Sendable {
  /// The version, such as `15.18 (Debian 15.18-0+deb12u1)`.
  public let version: String

  /// The version as a number, such as 150018.
  public let versionNumber: Int

  /// Whether the server is a standby: it replays another server's log and rejects writes.
  public let isStandby: Bool

  /// The setting `synchronous_commit` in a session of this user.
  public let synchronousCommit: String

  /// The setting `fsync`: whether the server waits until its disk has stored the data.
  public let waitsForDisk: Bool

  /// The setting `synchronous_standby_names`. If the setting is empty, commits wait for no standby.
  public let synchronousStandbys: String

  /// The number of connected standbys that commits wait for.
  public let standbysInSync: Int

  /// Queries a server. Blocks for up to 3 s per step.
  public static func read(from address: PostgresAddress) throws(PostgresError) -> Self {
    let connection = try PostgresConnection.open(
      to: address, timeout: .seconds(3), applicationName: "carillon doctor")
    let row =
      try connection.query(
        """
        SELECT current_setting('server_version'), current_setting('server_version_num')::BIGINT,
          pg_is_in_recovery(), current_setting('synchronous_commit'),
          current_setting('fsync') = 'on', current_setting('synchronous_standby_names'),
          (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum'))
        """
      ).rows.first ?? []
    func text(_ place: Int) -> String {
      guard row.indices.contains(place), case .text(let text) = row[place] else { return "" }
      return text
    }
    func number(_ place: Int) -> Int {
      guard row.indices.contains(place), case .integer(let number) = row[place] else { return 0 }
      return Int(number)
    }
    return PostgresDurability(
      version: text(0), versionNumber: number(1), isStandby: number(2) != 0,
      synchronousCommit: text(3), waitsForDisk: number(4) != 0, synchronousStandbys: text(5),
      standbysInSync: number(6))
  }
}
