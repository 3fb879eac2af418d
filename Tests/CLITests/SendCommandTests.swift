import ArgumentParser
import CarillonClientCore
import Foundation
import TestSupport
import Testing

@testable import CLI
@testable import MeetingViews
@testable import Output
@testable import CarillonProgram

@Suite struct SendCommandTests {
  private let longest = [UInt8](repeating: 0xFF, count: 2048)

  @Test func `text and JSON are sent exactly as the user wrote them`() async throws {
    #expect(try await MessagePayloadSource.text("naïve").bytes() == Array("naïve".utf8))
    #expect(try await MessagePayloadSource.text("").bytes() == [])
    #expect(
      try await MessagePayloadSource.json("{ \"a\": 1 }").bytes() == Array("{ \"a\": 1 }".utf8))
  }

  @Test func `a file's bytes are sent unchanged, up to the limit`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/message"
      try Data(longest).write(to: URL(filePath: path))
      #expect(try await MessagePayloadSource.file(path).bytes() == longest)
      try Data(longest + [0]).write(to: URL(filePath: path))
      await #expect(throws: CommandFailure.self) {
        try await MessagePayloadSource.file(path).bytes()
      }
      try Data().write(to: URL(filePath: path))
      #expect(try await MessagePayloadSource.file(path).bytes() == [])
    }
  }

  @Test(
    arguments: [
      (MessagePayloadSource.json("{"), "INVALID_ARGUMENT"), (.json("1"), "INVALID_ARGUMENT"),
      (.json("\"text\""), "INVALID_ARGUMENT"),
      (.text(String(repeating: "ä", count: 1025)), "INVALID_ARGUMENT"),
      (.file("/nowhere"), "FAILED_PRECONDITION"), (.file("/tmp"), "FAILED_PRECONDITION"),
      (.file("/dev/zero"), "INVALID_ARGUMENT"),
    ])
  func `an invalid message is refused before the attendee joins`(
    payload: MessagePayloadSource, code: String
  ) async {
    let failure = await #expect(throws: CommandFailure.self) { try await payload.bytes() }
    #expect(failure?.code == code)
  }

  @Test func `the outcome of a message is printed with stable fields`() throws {
    let command = try #require(
      try CarillonCommand.parseAsRoot(["send", "m-1", "hi", "--topic", "chat"]) as? SendCommand)
    let receipt = DataMessageReceipt(sequence: 7, messageId: "m-7", timestampMs: 12)
    #expect(
      command.record(.accepted(receipt)).json == """
        {"meeting_id": "m-1", "topic": "chat", "outcome": "accepted", "sequence": 7, \
        "message_id": "m-7", "timestamp_ms": 12}
        """)
    #expect(
      command.record(.throttled(retryAfterMs: 9)).json == """
        {"meeting_id": "m-1", "topic": "chat", "outcome": "throttled", "retry_after_ms": 9}
        """)
  }

  @Test(
    arguments: [
      (SendDataMessageError.invalidTopic, "INVALID_ARGUMENT"),
      (SendDataMessageError.invalidDataLength, "INVALID_ARGUMENT"),
      (DataMessageFailure.invalidRecipients, "INVALID_ARGUMENT"),
      (DataMessageFailure.notSent, "CANCELLED"), (DataMessageFailure.unconfirmed, "UNKNOWN"),
      (DataMessageFailure.refused("no"), "REFUSED"),
      (DataMessageFailure.queueFull, "RESOURCE_EXHAUSTED"),
      (CommandFailure.precondition("no"), "FAILED_PRECONDITION"),
    ] as [(any Error, String)])
  func `the error of a failed send determines the code of the failure`(
    error: any Error, code: String
  ) {
    #expect(CommandFailure(sending: error).code == code)
  }

  @Test
  func `a session ends without a failure if the client leaves, and any other end is a failure`() {
    #expect(CommandSession.failure(0, "ok") == nil)
    #expect(CommandSession.failure(60, "audioServerHungup")?.exit == .failed)
    let unavailable = Int(MeetingSessionStatusCode.audioServiceUnavailable.rawValue)
    #expect(CommandSession.failure(unavailable, "")?.exit == .unavailable)
  }
}
