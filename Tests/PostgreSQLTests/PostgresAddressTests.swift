import Testing

@testable import PostgreSQL

@Suite struct PostgresAddressTests {
  @Test(arguments: [
    (
      "postgresql://ada:secret@db.example:5433/carillon?sslmode=require",
      "postgresql://db.example:5433/carillon"
    ),
    ("postgres://db/carillon", "postgresql://db/carillon"),
    ("postgresql://carillon@/test?host=/run/x&password=secret", "postgresql:///test"),
    (
      "postgresql://ada:p%40ss@one,two/carillon?target_session_attrs=read-write",
      "postgresql://one,two/carillon"
    ),
    ("postgresql://", "postgresql://"),
  ])
  func `the description of an address hides user and password`(text: String, shown: String) throws {
    let address = try PostgresAddress(text)
    #expect("\(address)" == shown)
  }

  @Test(arguments: [
    ("postgresql://one,two/x", ["host=one port=5432", "host=two port=5432"]),
    ("postgresql://one:1,two:2/x", ["host=one port=1", "host=two port=2"]),
    ("postgresql://one:1,two/x", ["host=one port=1", "host=two port=5432"]),
    ("postgresql://u@/x?host=/run/a,/run/b&port=7", ["host=/run/a port=7", "host=/run/b port=7"]),
    ("postgresql://one/x", [""]), ("postgresql:///x", [""]),
  ])
  func `an address with several hosts yields one server for each host`(
    text: String, servers: [String]
  )
    throws
  {
    let found = try PostgresAddress(text).servers.map { parameters in
      parameters.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    }
    #expect(found == servers)
  }

  @Test(arguments: [
    "", "carillon", "host=/run user=ada", "mysql://db", "postgresql://db?sslmood=require",
    "postgresql://db:port\u{0}/", "postgresql://[::1/x",
  ])
  func `the error for an invalid address does not repeat the address`(text: String) {
    let error = #expect(throws: PostgresError.self) { try PostgresAddress(text) }
    #expect(error?.kind == .address)
    #expect(text.isEmpty || error?.message.contains(text) == false)
  }
}
