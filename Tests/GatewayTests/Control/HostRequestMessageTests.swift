import MeetingModel
import Storage
import Testing
import Wire

@testable import Gateway

/// Tests of the data messages by which hosts' requests reach clients.
@Suite struct HostRequestMessageTests {
  private static let ada = AttendeeID.random()

  @Test(arguments: [
    (HostRequestMessage.unmuteRequest(ada), "carillon:unmute-request", #"{"attendeeId":"ADA"}"#),
    (.handLowered(ada), "carillon:hands-lowered", #"{"attendeeIds":["ADA"]}"#),
    (.allHandsLowered, "carillon:hands-lowered", #"{"all":true}"#),
    (
      .appointed(ada, HostAppointment("PROOF")), "carillon:appointed",
      #"{"appointment":"PROOF","attendeeId":"ADA"}"#
    ),
  ])
  func `a notice has the documented topic and payload and no sender`(
    notice: HostRequestMessage, topic: String, payload: String
  ) {
    let meeting = MeetingID.random()
    let request = notice.request(in: meeting)
    #expect(request.meetingID == meeting.text)
    #expect(request.topic == topic)
    let text = String(decoding: request.data, as: UTF8.self)
    #expect(text.replacing(Self.ada.text, with: "ADA") == payload)
    #expect(request.sender == nil)
    #expect(request.sessionID.isEmpty)
  }

  @Test(arguments: [
    HostRequestMessage.unmuteRequest(ada), .appointed(ada, HostAppointment("PROOF")),
  ])
  func `an unmute request or an appointment reaches only the named attendee and no late joiner`(
    notice: HostRequestMessage
  ) {
    let request = notice.request(in: .random())
    #expect(request.recipients == [Self.ada.text])
    #expect(request.lifetimeMs == 0)
  }

  @Test(arguments: [HostRequestMessage.handLowered(ada), .allHandsLowered])
  func `all attendees and late joiners learn of a lowered hand`(notice: HostRequestMessage) {
    let request = notice.request(in: .random())
    #expect(request.recipients.isEmpty)
    #expect(request.lifetimeMs == 300_000)
  }
}
