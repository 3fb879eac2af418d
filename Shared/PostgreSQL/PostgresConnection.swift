internal import CPostgreSQL
internal import Glibc

/// A connection to a PostgreSQL server, for one thread at a time. Calls block, but not longer than
/// the connection's timeout.
///
/// The connection sends statements in a pipeline (PostgreSQL 15, section 34.5). ``send(_:_:)`` does
/// not wait for the result; ``query(_:_:)`` and ``finish()`` wait for all results. The connection
/// prepares each statement once.
///
/// A connection is unusable after an error with ``PostgresError/endsConnection``.
@safe public final class PostgresConnection {
  // Only `deinit` frees the handle.
  private let handle: OpaquePointer
  private let timeout: Duration
  private var statements: [String: PreparedStatement] = [:]

  /// Whether a result timed out. The connection is then unusable, because a late result would
  /// appear to be the result of another statement.
  private var isGivenUp = false

  /// Whether a sent statement has a result that this type has not read yet.
  private var isAnswerDue = false

  private struct PreparedStatement {
    let name: String
    let parameterTypes: [UInt32]
  }

  /// Tries the servers of the address in order. Connects to the first server that accepts the
  /// connection and has the properties that the address requires, such as `target_session_attrs`.
  ///
  /// - Parameters:
  ///   - timeout: The time limit for connecting, and for each later result. If the address has
  ///     several servers, each server gets an equal share of the time for connecting.
  ///   - applicationName: The name of the connection in `pg_stat_activity`.
  public static func open(
    to address: PostgresAddress, timeout: Duration, applicationName: String
  ) throws(PostgresError) -> PostgresConnection {
    var failure = PostgresError(
      .address, "The address of PostgreSQL names no server; write postgresql://USER@HOST/NAME.")
    // libpq tries the next server by itself after a refusal, but not if a server never answers.
    for server in address.servers {
      do throws(PostgresError) {
        return try PostgresConnection(
          to: address, server, connecting: timeout / address.servers.count, timeout: timeout,
          applicationName: applicationName)
      } catch { failure = error }
    }
    throw failure
  }

  private init(
    to address: PostgresAddress, _ server: [PostgresAddress.Parameter], connecting: Duration,
    timeout: Duration, applicationName: String
  ) throws(PostgresError) {
    let parameters =
      [
        ("dbname", address.uri), ("fallback_application_name", applicationName),
        ("client_encoding", "UTF8"),
      ] + server.map { ($0.name, $0.value) }
    guard let handle = unsafe Self.start(parameters) else {
      throw PostgresError(
        .unreachable, "There is not enough memory for a connection to PostgreSQL.")
    }
    unsafe self.handle = handle
    self.timeout = timeout
    try finishConnecting(until: .now + connecting)
    try check(unsafe PQsetnonblocking(handle, 1) == 0)
    try check(unsafe PQenterPipelineMode(handle) == 1)
  }

  deinit { unsafe PQfinish(handle) }

  // MARK: Statements

  /// Sends a statement without waiting for its result. A later call throws the statement's error.
  ///
  /// The first use of a statement waits until the server has prepared the statement.
  public func send(_ sql: String, _ arguments: [PostgresValue] = []) throws(PostgresError) {
    let statement = try prepared(sql)
    guard arguments.count == statement.parameterTypes.count else {
      throw PostgresError(
        .type,
        "A statement takes \(statement.parameterTypes.count) arguments, not "
          + "\(arguments.count).")
    }
    var bytes: [UInt8] = []
    var places: [(start: Int, count: Int)?] = []
    for (value, type) in zip(arguments, statement.parameterTypes) {
      guard let encoded = try PostgresType.encoded(value, as: type) else {
        places.append(nil)
        continue
      }
      places.append((bytes.count, encoded.count))
      // Even an empty value needs an address. The terminating zero provides this address.
      bytes += encoded + [0]
    }
    let count = Int32(arguments.count)
    let isSent = unsafe bytes.withUnsafeBytes { buffer in
      let base = unsafe buffer.bindMemory(to: CChar.self).baseAddress
      let values = unsafe places.map { place in
        unsafe place.flatMap { unsafe base?.advanced(by: $0.start) }
      }
      let lengths = places.map { Int32($0?.count ?? 0) }
      let formats = [Int32](repeating: 1, count: places.count)
      return unsafe PQsendQueryPrepared(
        handle, statement.name, count, values, lengths, formats, 1) == 1
    }
    try check(isSent)
    isAnswerDue = true
  }

  /// Sends a statement and waits for its result.
  ///
  /// - Throws: The first error since the last wait, even if an earlier statement caused it.
  public func query(
    _ sql: String, _ arguments: [PostgresValue] = []
  ) throws(PostgresError) -> PostgresResult {
    try send(sql, arguments)
    return try synchronize().decoded()
  }

  /// Waits for the results of all sent statements.
  public func finish() throws(PostgresError) {
    guard isAnswerDue else { return }
    _ = try synchronize()
  }

  /// Runs statements that take no arguments and return no rows, separated by semicolons. Either all
  /// statements take effect, or none.
  ///
  /// - Parameter limit: The time limit for each result; `nil` means the timeout of the connection.
  public func run(script: String, within limit: Duration? = nil) throws(PostgresError) {
    try finish()
    try check(unsafe PQexitPipelineMode(handle) == 1)
    try check(unsafe PQsendQuery(handle, script) == 1)
    var failure: PostgresError?
    while let answer = try nextAnswer(within: limit ?? timeout) {
      failure = failure ?? answer.failure
    }
    try check(unsafe PQenterPipelineMode(handle) == 1)
    if let failure { throw failure }
  }

  /// Whether a transaction is open, according to the last result that this type has read.
  public var isInsideTransaction: Bool {
    switch unsafe PQtransactionStatus(handle) {
    case PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_ACTIVE: true
    default: false
    }
  }

  /// Whether the connection is usable. It is usable until this type or libpq detects a failure.
  public var isUsable: Bool {
    guard !isGivenUp else { return false }
    return unsafe PQstatus(handle) == CONNECTION_OK
  }

  private func prepared(_ sql: String) throws(PostgresError) -> PreparedStatement {
    if let known = statements[sql] { return known }
    let name = "s\(statements.count)"
    try check(unsafe PQsendPrepare(handle, name, sql, 0, nil) == 1)
    try check(unsafe PQsendDescribePrepared(handle, name) == 1)
    let types = try synchronize().parameterTypes
    let statement = PreparedStatement(name: name, parameterTypes: types)
    statements[sql] = statement
    return statement
  }

  // MARK: Results

  /// Sends a synchronization point, and reads all results up to this point.
  ///
  /// - Returns: The result of the last statement.
  /// - Throws: The error of the first statement that failed. The server skipped the statements
  ///   after the failed statement.
  private func synchronize() throws(PostgresError) -> PostgresResultHandle {
    try check(unsafe PQpipelineSync(handle) == 1)
    isAnswerDue = false
    var last: PostgresResultHandle?
    var failure: PostgresError?
    while true {
      // libpq returns `nil` after the results of each statement.
      guard let answer = try nextAnswer(within: timeout) else { continue }
      if answer.endsTurn { break }
      failure = failure ?? answer.failure
      last = answer
    }
    if let failure { throw failure }
    guard let last else { throw PostgresError(.unreachable, "Nothing was asked.") }
    return last
  }

  private func nextAnswer(within limit: Duration) throws(PostgresError) -> PostgresResultHandle? {
    let deadline = ContinuousClock.now + limit
    while unsafe PQisBusy(handle) == 1 { try move(until: deadline) }
    guard let result = unsafe PQgetResult(handle) else {
      guard isUsable else { throw failure() }
      return nil
    }
    return unsafe PostgresResultHandle(result)
  }

  // MARK: Input and output

  /// Sends buffered data, and waits until the server sends data or can receive more.
  private func move(until deadline: ContinuousClock.Instant) throws(PostgresError) {
    let left = unsafe PQflush(handle)
    guard left >= 0 else { throw failure() }
    let events = left == 1 ? POLLIN | POLLOUT : POLLIN
    try wait(for: events, until: deadline)
    guard unsafe PQconsumeInput(handle) == 1 else { throw failure() }
  }

  private func wait(
    for events: Int32, until deadline: ContinuousClock.Instant
  ) throws(PostgresError) {
    var place = pollfd(fd: unsafe PQsocket(handle), events: Int16(events), revents: 0)
    while true {
      let left = deadline - .now
      let milliseconds =
        left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000
      guard left > .zero else {
        isGivenUp = true
        throw PostgresError(.timedOut, "PostgreSQL did not answer in time; check that it runs.")
      }
      let code = unsafe poll(&place, 1, Int32(clamping: milliseconds + 1))
      if code > 0 { return }
      guard code == 0 || errno == EINTR else { throw failure() }
    }
  }

  private func finishConnecting(until deadline: ContinuousClock.Instant) throws(PostgresError) {
    // libpq wants the first wait to be for writing, as after PGRES_POLLING_WRITING.
    var events = POLLOUT
    guard isBegun else { throw failure() }
    while true {
      try wait(for: events, until: deadline)
      switch unsafe PQconnectPoll(handle) {
      case PGRES_POLLING_OK: return
      case PGRES_POLLING_READING: events = POLLIN
      case PGRES_POLLING_WRITING: events = POLLOUT
      default: throw failure()
      }
    }
  }

  private var isBegun: Bool { unsafe PQstatus(handle) != CONNECTION_BAD }

  private static func start(_ parameters: [(String, String)]) -> OpaquePointer? {
    // libpq copies the parameters. Both lists end with NULL.
    let texts = unsafe parameters.map { unsafe (strdup($0.0), strdup($0.1)) }
    defer {
      for unsafe(keyword, value) in unsafe texts {
        unsafe free(keyword)
        unsafe free(value)
      }
    }
    let keywords = unsafe texts.map { unsafe UnsafePointer($0.0) } + [nil]
    let values = unsafe texts.map { unsafe UnsafePointer($0.1) } + [nil]
    return unsafe PQconnectStartParams(keywords, values, 1)
  }

  private func check(_ isDone: Bool) throws(PostgresError) {
    guard isDone else { throw failure() }
  }

  private func failure() -> PostgresError {
    let text = unsafe PQerrorMessage(handle).map { unsafe String(cString: $0) } ?? ""
    return PostgresError(.unreachable, text.split(separator: "\n").joined(separator: " "))
  }
}

/// A result of the server. `deinit` frees the result.
@safe private final class PostgresResultHandle {
  private let result: OpaquePointer
  private let status: ExecStatusType

  init(_ result: OpaquePointer) {
    unsafe self.result = result
    status = unsafe PQresultStatus(result)
  }

  deinit { unsafe PQclear(result) }

  /// Whether this result marks a synchronization point: all earlier results have arrived.
  var endsTurn: Bool { status == PGRES_PIPELINE_SYNC }

  /// The error that the result reports; `nil` for success.
  var failure: PostgresError? {
    switch status {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_PIPELINE_SYNC, PGRES_EMPTY_QUERY: return nil
    case PGRES_PIPELINE_ABORTED:
      return PostgresError(.unreachable, "An earlier statement of the transaction failed.")
    default:
      guard let state = field(PG_DIAG_SQLSTATE) else {
        return PostgresError(.unreachable, "The connection to PostgreSQL was lost.")
      }
      return PostgresError(
        .refused(sqlState: state), field(PG_DIAG_MESSAGE_PRIMARY) ?? "no message")
    }
  }

  /// The types of a prepared statement's arguments.
  var parameterTypes: [UInt32] {
    (0..<(unsafe PQnparams(result))).map { unsafe PQparamtype(result, $0) }
  }

  func decoded() throws(PostgresError) -> PostgresResult {
    let width = unsafe PQnfields(result)
    let height = unsafe PQntuples(result)
    let types = (0..<width).map { unsafe PQftype(result, $0) }
    var rows: [[PostgresValue]] = []
    rows.reserveCapacity(Int(height))
    for row in 0..<height {
      var values: [PostgresValue] = []
      values.reserveCapacity(Int(width))
      for (column, type) in zip(0..<width, types) { values.append(try value(row, column, type)) }
      rows.append(values)
    }
    let names = (0..<width).map { unsafe String(cString: PQfname(result, $0)) }
    let count = unsafe Int(String(cString: PQcmdTuples(result))) ?? 0
    return PostgresResult(columns: names, rows: rows, count: count)
  }

  private func value(
    _ row: Int32, _ column: Int32, _ type: UInt32
  ) throws(PostgresError) -> PostgresValue {
    guard unsafe PQgetisnull(result, row, column) == 0,
      let start = unsafe PQgetvalue(result, row, column)
    else { return .null }
    let count = Int(unsafe PQgetlength(result, row, column))
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    return try PostgresType.decoded(bytes, of: type)
  }

  /// Returns a field of the error report. `PQresultErrorField` takes the character as a number.
  private func field(_ code: Character) -> String? {
    let number = Int32(code.asciiValue ?? 0)
    return unsafe PQresultErrorField(result, number).map { unsafe String(cString: $0) }
  }

  // Swift does not import macros whose values are character literals.
  private var PG_DIAG_SQLSTATE: Character { "C" }
  private var PG_DIAG_MESSAGE_PRIMARY: Character { "M" }
}
