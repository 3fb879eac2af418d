import Testing

@testable import CLI
@testable import Output

@Suite struct UpEnvironmentTests {
  @Test func `carillon up has defaults for missing settings`() throws {
    for environment in [[:], ["CARILLON_REST_PORT": "", "CARILLON_DRAIN_SECONDS": ""]] {
      let choices = UpEnvironment(environment)
      #expect(try choices.restPort() == 8080)
      #expect(try choices.drainSeconds() == 10)
      #expect(choices.webRoot == nil)
    }
  }

  @Test func `environment variables set the options of carillon up`() throws {
    let choices = UpEnvironment([
      "CARILLON_REST_PORT": "0", "CARILLON_DRAIN_SECONDS": "3", "CARILLON_WEB_ROOT": "/web",
    ])
    #expect(try choices.restPort() == 0)
    #expect(try choices.drainSeconds() == 3)
    #expect(choices.webRoot == "/web")
  }

  @Test func `an address that Kubernetes sets is not used as a port`() throws {
    #expect(try UpEnvironment(["CARILLON_REST_PORT": "tcp://10.0.0.1:80"]).restPort() == 8080)
  }

  @Test(arguments: ["65536", "-1", "x"])
  func `an invalid value is refused, and the error names the variable`(value: String) {
    let choices = UpEnvironment(["CARILLON_REST_PORT": value, "CARILLON_DRAIN_SECONDS": "3601"])
    let port = #expect(throws: CommandFailure.self) { try choices.restPort() }
    #expect(port?.message == "CARILLON_REST_PORT must be 0-65535; got \(value).")
    let seconds = #expect(throws: CommandFailure.self) { try choices.drainSeconds() }
    #expect(seconds?.message == "CARILLON_DRAIN_SECONDS must be 0-3600; got 3601.")
  }
}
