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
  func `an address shows neither user nor password`(text: String, shown: String) throws {
    let address = try PostgresAddress(text)
    #expect("\(address)" == shown)
  }

  @Test(arguments: [
    "", "carillon", "host=/run user=ada", "mysql://db", "postgresql://db?sslmood=require",
    "postgresql://db:port\u{0}/", "postgresql://[::1/x",
  ])
  func `what is no address is refused without repeating it`(text: String) {
    let error = #expect(throws: PostgresError.self) { try PostgresAddress(text) }
    #expect(error?.kind == .address)
    #expect(text.isEmpty || error?.message.contains(text) == false)
  }
}
