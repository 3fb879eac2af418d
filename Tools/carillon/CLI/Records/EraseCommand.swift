internal import ArgumentParser
internal import Foundation
internal import LocalInstallation
internal import MeetingModel
internal import Output

/// The command `carillon erase`.
struct EraseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Erases a user's data from all stores of the installation.",
    discussion: """
      The command deletes the attendees of running meetings that have this external user id, their \
      attendance, their data messages and the events that their clients reported. Events of \
      meetings stay, without the user's name. The command calls the control API with the local \
      access key of the gateway, else with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.
      """)

  @Argument(help: "The application's own id of the user.") var user: String
  @OptionGroup var runtime: InstallationSelectionOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await output.reportingFailure {
      let gateway = try RunningGateway.find(in: runtime.places)
      guard let address = gateway.restEndpoint.flatMap({ HTTPAddress(url: $0) }) else {
        throw CommandFailure.precondition(
          """
          This command cannot use TLS, and \(gateway.instance) serves REST over TLS; send a \
          signed POST to /carillon/v1/erase instead.
          """)
      }
      let body: OutputRecord = ["ExternalUserId": .text(user)]
      let request = HTTPRequest(.post, "/carillon/v1/erase", json: body.json)
      let signer = LocalAccessKeyFinder.signer(
        for: address, in: runtime.places, environment: ProcessInfo.processInfo.environment)
      let signed = signer.map {
        request.signed(by: $0, host: address.host, at: Int64(WallClock.nowMs / 1_000))
      }
      let answer = try await HTTPClient(address).send(signed ?? request, within: .seconds(60))
      guard answer.status == 200 else {
        throw CommandFailure(code: "HTTP_\(answer.status)", message: answer.text)
      }
      let erased = try JSONDecoder().decode(ErasureResponse.self, from: Data(answer.body))
      output.print([
        "external_user_id": .text(user), "attendees": .integer(erased.Attendees),
        "sessions": .integer(erased.Sessions), "events": .integer(erased.Events),
        "hosted": .integer(erased.Hosted), "client_events": .integer(erased.ClientEvents),
        "messages": .integer(erased.Messages),
      ])
    }
  }
}

/// The response. Its members have the names that the REST interface uses.
private struct ErasureResponse: Decodable {
  let Attendees: Int
  let Sessions: Int
  let Events: Int
  let Hosted: Int
  let ClientEvents: Int
  let Messages: Int
}
