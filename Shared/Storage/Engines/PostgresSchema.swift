internal import PostgreSQL

/// A store's tables in a separate PostgreSQL schema.
///
/// The migrator applies the versions in order. The first process that needs a version applies this
/// version once. A released version never changes; each change is a new version after the last
/// version. `schema_version` has one row.
struct PostgresSchema: Sendable {
  /// The name of the schema.
  let name: String

  /// The statements of each version. The first version starts from an empty schema, and each later
  /// version changes the previous version.
  let versions: [String]

  /// Sets up a new connection.
  func prepare(_ connection: PostgresConnection) throws(PostgresError) {
    // Acknowledged data must be durable, whatever the server's default is. If the server has a
    // stronger setting, this code keeps it.
    try connection.run(
      script: """
        SET search_path TO \(name), pg_catalog;
        SET lock_timeout = '4s';
        SET idle_in_transaction_session_timeout = '10s';
        SELECT set_config('synchronous_commit', 'on', false)
          WHERE current_setting('synchronous_commit') IN ('off', 'local')
        """)
  }

  /// Migrates the tables to the latest version.
  ///
  /// - Throws: ``StorageError/newerSchema(path:)`` if a newer version of Carillon migrated the
  ///   tables; ``PostgresError`` if the server reports an error or the
  ///   connection fails.
  func migrate(at address: PostgresAddress) throws {
    let connection = try PostgresConnection.open(
      to: address, timeout: .seconds(30), applicationName: "carillon migration")
    try prepare(connection)
    _ = try connection.query("BEGIN")
    // The transaction keeps the lock until the transaction ends. So processes that start together
    // migrate one after another, and the last process waits for all others.
    try connection.run(script: "SET LOCAL lock_timeout = '25s'")
    try connection.run(script: "SELECT pg_advisory_xact_lock(hashtext('\(name)'))")
    let current = try version(of: connection)
    guard current <= versions.count else {
      throw StorageError.newerSchema(path: "\(address)")
    }
    for (number, script) in versions.enumerated().dropFirst(current) {
      if number == 0 {
        try connection.run(
          script: """
            CREATE SCHEMA IF NOT EXISTS \(name);
            CREATE TABLE schema_version (version BIGINT NOT NULL);
            INSERT INTO schema_version VALUES (0)
            """)
      }
      try connection.run(script: script)
      try connection.run(script: "UPDATE schema_version SET version = \(number + 1)")
    }
    _ = try connection.query("COMMIT")
  }

  private func version(of connection: PostgresConnection) throws -> Int {
    let there = try connection.query(
      "SELECT 1 AS one FROM pg_tables WHERE schemaname = $1 AND tablename = 'schema_version'",
      [.text(name)])
    guard !there.rows.isEmpty else { return 0 }
    let rows = try connection.query("SELECT version FROM schema_version").rows
    guard case .integer(let version) = rows.first?.first else { return 0 }
    return Int(version)
  }
}
