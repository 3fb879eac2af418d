import Foundation
import Testing
import Wire

/// Tests of the bytes in `proto/signaling-golden.json`. Programs in other languages read the same
/// file.
@Suite struct SignalingTests {
  private struct Golden: Decodable {
    let name: String
    let frame_hex: String
  }

  private static let golden = Result {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let data = try Data(contentsOf: root.appending(path: "proto/signaling-golden.json"))
    return try JSONDecoder().decode([Golden].self, from: data)
  }

  private static func bytes(of text: String) throws -> [UInt8] {
    let digits = Array(text)
    return try stride(from: 0, to: digits.count, by: 2).map {
      try #require(UInt8(String(digits[$0...($0 + 1)]), radix: 16))
    }
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    let entry = try #require(try Self.golden.get().first { $0.name == name })
    return try Self.bytes(of: entry.frame_hex)
  }

  private func frame(_ name: String) throws -> Signaling.SdkSignalFrame {
    try Signaling.SdkSignalFrame(packed: Array(bytes(name).dropFirst()))
  }

  @Test func `each golden frame is read and packed to the same bytes`() throws {
    let golden = try Self.golden.get()
    #expect(golden.count >= 14)
    for entry in golden {
      let bytes = try Self.bytes(of: entry.frame_hex)
      #expect([2, 5].contains(bytes[0]))
      let packed = Array(bytes.dropFirst())
      #expect(try Signaling.SdkSignalFrame(packed: packed).packed() == packed, "\(entry.name)")
    }
  }

  @Test func `golden frames contain the expected values`() throws {
    let ping = try frame("PING id 1 (client)")
    #expect(ping.type == .pingPong && ping.timestampMs == 1_700_000_000_000)
    #expect(ping.pingPong == .init(type: .ping, pingID: 1))
    let source = try #require(
      frame(
        "INDEX at_capacity=false, stream 130 group 13 attendee A1 external x VIDEO 600 kbit/s, "
          + "2 participants"
      ).index)
    #expect(source.atCapacity == false && source.numParticipants == 2)
    #expect(source.sources.first?.mediaType == .video && source.sources.first?.streamID == 130)
    let join = try frame("JOIN of a browser that comes back").join
    #expect(join?.positions == [.init(stream: "messages", place: "7-42")])
    #expect(
      join?.supportedServerSideNetworkAdaptions == [
        .none, .bandwidthProbing, .bandwidthProbingAndVideoQualityAdaption,
      ])
  }

  @Test func `an absent field differs from a false, empty or zero field`() throws {
    let joined = try #require(
      frame("presence join 11, A1, muted=false, external x").audioStreamIDInfo?.streams.first)
    #expect(joined.muted == false && joined.dropped == nil)
    let left = try #require(frame("presence leave 11").audioStreamIDInfo?.streams.first)
    #expect(left.muted == nil && left.attendeeID == nil && left.audioStreamID == 11)
    let throttled = try #require(
      frame("DATA_MESSAGE throttled echo").dataMessage?.messages.first)
    #expect(throttled.ingestTimeNs == 0 && throttled.senderAttendeeID == nil)
    let empty = Signaling.SdkDataMessagePayload(topic: "", data: [])
    #expect(empty.packed() == [0x0a, 0, 0x12, 0])
    #expect(try Signaling.SdkDataMessagePayload(packed: empty.packed()) == empty)
  }

  @Test func `a signaling frame without a time or type is refused`() throws {
    for packed: [UInt8] in [[], [0x08, 1], [0x10, 1]] {
      #expect(throws: WireError.malformed(message: "carillon.signaling.SdkSignalFrame")) {
        try Signaling.SdkSignalFrame(packed: packed)
      }
    }
    #expect(try Signaling.SdkSignalFrame(packed: [0x08, 1, 0x10, 9]).type == .leave)
    #expect(try Signaling.SdkSignalFrame(packed: [0x08, 1, 0x10, 99]).type == .unrecognized(99))
  }
}
