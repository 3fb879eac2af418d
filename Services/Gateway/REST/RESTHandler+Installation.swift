import Bus
import MeetingModel
import ServiceHost

// Carries out operations on the whole installation: limits, services, client endpoints and health.
extension RESTHandler {
  func getLimits() async throws(RESTError) -> [String: JSONValue] {
    ["Limits": JSONValue(await control.effects.limits())]
  }

  func getServices() async throws(RESTError) -> [String: JSONValue] {
    let (instances, meetings) = try await done { () async throws(Status) in
      (try await control.effects.instances(), try await control.meetingCount())
    }
    return [
      "Version": .string(BuildVersion.current), "MeetingCount": .integer(Int64(meetings)),
      "Instances": .array(instances.map { JSONValue($0) }),
    ]
  }

  func getEndpoints() async throws(RESTError) -> [String: JSONValue] {
    ["GatewayUrl": .string(control.settings.gatewayURL)]
  }

  /// Reports that the gateway is alive. Checks no other service, so that no supervisor restarts the
  /// gateway because of a fault of another service.
  func getLiveness() async throws(RESTError) -> RESTResponse {
    RESTResponse(.ok, .object(["status": .string("alive")]))
  }

  /// Reports whether clients can join: checks the services that every join needs. Anybody may send
  /// this request, so the answer does not name the check that failed.
  func getReadiness() async throws(RESTError) -> RESTResponse {
    guard await control.isHealthy() else {
      var response = RESTResponse(.serviceUnavailable, .object(["status": .string("failing")]))
      response.headers.append(.init(name: "Retry-After", value: "1"))
      return response
    }
    return RESTResponse(.ok, .object(["status": .string("ready")]))
  }

  func getOpenAPI() async throws(RESTError) -> RESTResponse {
    RESTResponse(openAPI: OpenAPIDocument.bytes)
  }

  func describeWeb() async throws(RESTError) -> RESTResponse {
    guard let web else {
      throw RESTError(.unknownOperation, "This gateway serves no page; start it with --web-root.")
    }
    return await web.description()
  }
}
