import MeetingModel
import Testing
import Trials

@testable import Gateway
@testable import Storage

@Suite(.timeLimit(.minutes(5))) struct WebhookSenderTests {
  @Test(arguments: [
    ("127.0.0.1", "Connection refused"),
    ("no-such-host.invalid", "The host name no-such-host.invalid has no address"),
  ])
  func `the reason for a failed delivery is stated in a few words`(host: String, reason: String)
    async throws
  {
    let delivery = WebhookDelivery(
      webhook: "a", url: "http://\(host):\(try LocalSocket.freePort())/", dropped: 0,
      event: MeetingEvent(
        number: 1, id: "e", kind: .attendeeAdded, sequence: 1, at: 0, meeting: .random(),
        externalMeetingID: try ExternalMeetingID("standup")))
    let sender = WebhookSender(timeout: .seconds(10))
    let error = await #expect(throws: (any Error).self) {
      try await sender.send(WebhookPost(delivery, epoch: 1, secret: [1], at: 0))
    }
    await sender.close()
    #expect(error.map { WebhookSender.reason(for: $0) } == reason)
  }
}
