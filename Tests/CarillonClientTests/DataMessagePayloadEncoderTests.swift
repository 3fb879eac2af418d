import Foundation
import Testing

@testable import CarillonClientCore

struct DataMessagePayloadEncoderTests {
  private static let sendable: [(String, @Sendable () -> Any, [UInt8])] = [
    ("text", { "hello" }, Array("hello".utf8)),
    ("empty text", { "" }, []),
    ("text with a NUL", { "a\u{0}b" }, [0x61, 0, 0x62]),
    ("text of Foundation", { NSString(string: "hello") }, Array("hello".utf8)),
    ("part of a text", { Array("hello".utf8) }, Array("hello".utf8)),
    ("bytes that are no text", { [UInt8]([0, 0xff, 0xc3, 0x28]) }, [0, 0xff, 0xc3, 0x28]),
    ("no bytes", { [UInt8]() }, []),
    ("an empty literal", { [] as [Any] }, []),
    ("an array of numbers", { [116, 101] }, Array("[116,101]".utf8)),
    ("a dictionary", { ["kind": "wave"] }, Array(#"{"kind":"wave"}"#.utf8)),
    ("nested JSON", { ["a": [1, true, NSNull()] as [Any]] }, Array(#"{"a":[1,true,null]}"#.utf8)),
    ("an array of Foundation", { NSArray(array: ["a"]) }, Array(#"["a"]"#.utf8)),
    ("data", { Data([0, 0xff, 0x80]) }, [0, 0xff, 0x80]),
    ("a slice of data", { Data([1, 2, 3]).dropFirst() }, [2, 3]),
    ("data that is JSON already", { Data("[1, 2]".utf8) }, Array("[1, 2]".utf8)),
    ("no data", { Data() }, []),
  ]

  @Test(arguments: sendable)
  func `text, bytes, JSON and data are converted to bytes`(
    name: String, make: @Sendable () -> Any, bytes: [UInt8]
  ) throws {
    #expect(try DataMessagePayloadEncoder.bytes(of: make()) == bytes, "\(name)")
  }

  private final class Thing {}

  private static let unsendable: [(String, @Sendable () -> Any)] = [
    ("an integer", { 5 }), ("a boolean", { true }), ("a number", { 1.5 }), ("null", { NSNull() }),
    ("an object", { Thing() }), ("a dictionary with numbers as keys", { [1: "a"] }),
    ("a dictionary of objects", { ["a": Thing()] }), ("not a number", { [Double.nan] }),
    ("a date", { Date() }), ("a character", { Character("a") }),
    ("data within JSON", { ["a": Data([1])] }), ("nothing", { Int?.none as Any }),
  ]

  @Test(arguments: unsendable)
  func `a value that cannot be a message is refused`(name: String, make: @Sendable () -> Any) {
    #expect(throws: SendDataMessageError.invalidData, "\(name)") {
      try DataMessagePayloadEncoder.bytes(of: make())
    }
  }

  @Test func `the length limit of JSON applies to the JSON text`() throws {
    let fits = [String(repeating: "a", count: 2044)]
    #expect(try DataMessagePayloadEncoder.bytes(of: fits).count == 2048)
    #expect(throws: SendDataMessageError.invalidDataLength) {
      try DataMessagePayloadEncoder.bytes(of: [String(repeating: "a", count: 2045)])
    }
  }

  @Test(
    arguments: [
      ([], ""), (Array("hé".utf8), "hé"), ([0x61, 0], "a\u{0}"), ([0xff], nil),
      ([0xc3, 0x28], nil),
    ] as [([UInt8], String?)])
  func `a message has text only if its bytes are UTF-8`(bytes: [UInt8], text: String?) {
    #expect(message(bytes).text() == text)
  }

  @Test(arguments: [
    (#"{"a":1}"#, true), ("[]", true), ("[1,2]", true), ("5", false), (#""a""#, false), ("", false),
    ("{", false), ("true", false),
  ])
  func `a message has JSON only if it contains an array or an object`(text: String, hasJSON: Bool) {
    #expect((message(Array(text.utf8)).fromJSON() != nil) == hasJSON)
  }

  @Test func `a message that an application creates has no position in the log`() {
    let message = message([1])
    #expect(message.sequence == 0)
    #expect(message.messageId.isEmpty)
    #expect(message.lifetimeMs == 0)
    #expect(message.recipients.isEmpty)
    #expect(message.retryAfterMs == 0)
  }

  private func message(_ bytes: [UInt8]) -> DataMessage {
    DataMessage(
      topic: "t", data: Data(bytes), senderAttendeeId: "a", senderExternalUserId: "ada",
      timestampMs: 1, throttled: false)
  }
}
