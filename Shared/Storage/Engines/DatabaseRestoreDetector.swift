internal import GRDB

/// Detects that an operator has restored a database file from a copy.
///
/// The header of the file contains a random mark, in the number that SQLite reserves for
/// applications (`PRAGMA user_version`). The lock file in the same directory contains the same mark
/// and the inode of the database. A restored copy has the same mark, but its inode differs or its
/// lock file is missing.
///
/// This type does not detect a copy that overwrites the content of the file. It also does not
/// detect a copy with the same inode and lock file, such as a snapshot of a whole disk.
enum DatabaseRestoreDetector {
  /// In one transaction, runs `statements` if an operator has restored the file, and sets a new
  /// mark.
  ///
  /// A file without a mark is new, or is from a release without marks. Such a file only gets a
  /// mark. Call this method while no other process opens the file.
  static func renumber(_ pool: DatabasePool, by statements: String) throws {
    let former = try pool.read(mark)
    guard try former == 0 || note(of: pool) != text(former, at: pool) else { return }
    let mark = Int32.random(in: 1 ... .max)
    try pool.write { database in
      if former != 0 { try database.execute(sql: statements) }
      try database.execute(sql: "PRAGMA user_version = \(mark)")
    }
    // If the process crashes before this line, the next start treats the file as a restored file
    // once more. This is harmless.
    try PrivateFile.overwrite(lock(of: pool), with: Array(text(mark, at: pool).utf8))
  }

  private static func mark(_ database: GRDB.Database) throws -> Int32 {
    try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
  }

  private static func text(_ mark: Int32, at pool: DatabasePool) throws -> String {
    "\(mark) \(try PrivateFile.stamp(of: pool.path)?.inode ?? 0)\n"
  }

  private static func note(of pool: DatabasePool) throws -> String {
    String(decoding: try PrivateFile.start(of: lock(of: pool)), as: UTF8.self)
  }

  private static func lock(of pool: DatabasePool) -> String { PrivateFile.lock(of: pool.path) }
}
