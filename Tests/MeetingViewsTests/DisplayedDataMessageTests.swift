import Testing
import Wire

@testable import MeetingViews
@testable import Output

@Suite struct DisplayedDataMessageTests {
  private let ada = AttendeeName(attendeeID: "a-1", externalUserID: "ada")

  private func message(_ data: [UInt8]) -> DisplayedDataMessage {
    DisplayedDataMessage(
      topic: "chat", data: data, sender: ada, sequence: 7, messageID: "m-7",
      timestampMs: 1_700_000_000_441, lifetimeMs: 60_000, recipients: ["b-2"])
  }

  @Test func `the JSON record of a message has stable fields`() {
    #expect(
      message(Array("naïve".utf8)).record.json == """
        {"topic": "chat", "text": "naïve", "base64": "bmHDr3Zl", "sender_attendee_id": "a-1", \
        "sender_external_user_id": "ada", "sequence": 7, "message_id": "m-7", \
        "timestamp_ms": 1700000000441, "lifetime_ms": 60000, "recipients": ["b-2"]}
        """)
  }

  @Test(
    arguments: [
      ([], "", #""""#), (Array("plain 🎈".utf8), "plain 🎈", "\"plain 🎈\""),
      ([0x61, 0x00, 0x62], "a\\u{0}b", #""a\u0000b""#),
      (Array("\u{1B}[31m\n".utf8), "\\u{1b}[31m\\n", #""\u001b[31m\n""#),
      (Array("a\u{202E}b".utf8), "a\\u{202e}b", "\"a\u{202E}b\""),
      ([0xC3, 0x28], "base64:wyg=", "null"), ([0xFF], "base64:/w==", "null"),
    ] as [([UInt8], String, String)])
  func `text cannot control the terminal, and bytes that are not text are shown in base64`(
    data: [UInt8], shown: String, json: String
  ) {
    #expect(message(data).shownData == shown)
    #expect(message(data).record["text"]?.json == json)
  }

  @Test
  func `a message's line shows the time to the millisecond, the sender, the topic and the data`() {
    let message = message(Array("hi".utf8))
    #expect(message.line == "22:13:20.441  ada  chat  hi")
    #expect(
      message.row.json == """
        {"sequence": 7, "time": "2023-11-14T22:13:20.441Z", "sender": "ada", "topic": "chat", \
        "data": "hi"}
        """)
  }

  @Test func `a logged message is converted into a displayed message without changes`() {
    let logged = V1.DataMessage(
      sequence: 7, topic: "chat", data: [0, 255],
      sender: V1.AttendeeInfo(attendeeID: "a-1", externalUserID: "ada"),
      timestampMs: 1_700_000_000_441, lifetimeMs: 60_000, messageID: "m-7", recipients: ["b-2"])
    #expect(DisplayedDataMessage(logged) == message([0, 255]))
  }

  @Test func `a message without a sender is shown as a message of a service`() {
    let logged = V1.DataMessage(sequence: 1, topic: "carillon:notice", data: Array("x".utf8))
    #expect(DisplayedDataMessage(logged).senderName == "(service)")
  }
}
