import Foundation
import MeetingModel
import TestSupport
import Testing
import Wire
import ZeroMQ

@testable import Bus

/// Tests that send and receive the bytes of `proto/golden.json` through sockets. The bus must
/// behave as that file documents.
@Suite(.timeLimit(.minutes(5)))
struct GoldenFrameTests {
  @Test func `a bundle has the frames of the golden file`() throws {
    let golden = try Golden.read()
    #expect(golden.bundles.count > 1)
    for bundle in golden.bundles {
      #expect(try MessageFrame(bundle.bytes).frames() == bundle.frameBytes, "\(bundle.name)")
    }
  }

  @Test func `each malformed frame is refused`() async throws {
    let golden = try Golden.read()
    #expect(!golden.malformed.isEmpty)
    try await withTestBus { bus in
      let server = try bus.server()
      let tally = Tally()
      server.observer = tally
      let peer = try bus.dealer()
      await peer.connected()
      for frame in golden.malformed {
        try peer.send(MessageFrame(try frame.bytes))
        let reply = try await peer.reply().header
        #expect(reply.callID == 0, "\(frame.name)")
        #expect(reply.status?.reason == .malformed, "\(frame.name)")
      }
      #expect(tally.rejected == [.malformed: golden.malformed.count])
    }
  }

  @Test func `golden requests reach their handlers`() async throws {
    let golden = try Golden.read()
    try await withTestBus { bus in
      let server = try bus.server()
      let heard = Inbox<V1.RequestHeader>()
      server.on(V1.AudioVideoFacadeMethods.start) { request, stream in
        #expect(request.joinToken == "token-of-ada")
        heard.put(stream.header)
        stream.end()
      }
      server.on(V1.AudioVideoFacadeMethods.keepAlive) { request, call in
        #expect(request.receivedBytes == 1234)
        heard.put(call.header)
        call.reply(V1.KeepAliveReply(serverTimeMs: 1_700_000_001_000))
      }
      server.on(V1.AudioVideoFacadeMethods.setMuted) { request, call in
        #expect(request.isMuted)
        heard.put(call.header)
        call.reply(V1.SetMutedReply(isMuted: true))
      }
      server.on(V1.AudioVideoFacadeMethods.stop) { _, call in heard.put(call.header) }
      let peer = try bus.dealer()
      await peer.connected()
      for (name, answer) in [
        ("start", nil), ("keep_alive", "keep_alive_reply"), ("set_muted", "set_muted_reply"),
      ] {
        try peer.send(MessageFrame(try golden.bytes(name)))
        #expect(await heard.next().version == 1)
        let reply = await peer.messages.next()[0].bytes
        if let answer { #expect(try reply == golden.bytes(answer), "\(answer)") }
      }
      // These frames are a CANCEL without an open call and a call with an unreadable body.
      try peer.send(MessageFrame(try golden.bytes("cancel")))
      try peer.send(MessageFrame(try golden.bytes("stop")))
      #expect(await heard.next().callID == 6)
    }
  }

  @Test func `a call of version 2 is answered with the golden bytes`() async throws {
    let golden = try Golden.read()
    try await withTestBus { bus in
      _ = try bus.server()
      let peer = try bus.dealer()
      await peer.connected()
      try peer.send(MessageFrame(.call(9, version: 2)))
      let reply = await peer.messages.next()[0].bytes
      #expect(try reply == golden.bytes("unsupported_version"))
    }
  }

  @Test func `items, batches and the end of a session have the bytes of the golden file`() throws {
    let golden = try Golden.read()
    let changed = try golden.body("presence_changed")
    let item = PackedSessionEvents(changed)
    #expect(try item.message.body == golden.bytes("presence_changed"))
    let batch = try golden.body("batch")
    let second = PackedSessionEvents(Array(batch.dropFirst(changed.count)))
    #expect(try PackedSessionEvents.message(of: [item, second]).body == golden.bytes("batch"))
    let end = V1.ReplyHeader(callID: 0, kind: .end)
    #expect(try WireFrame.pack(header: end) == golden.bytes("end"))
  }

  @Test func `golden events and beacons are read`() async throws {
    let golden = try Golden.read()
    try await withTestBus { bus in
      let publisher = try RawPeer(.xpub, in: bus.context, on: bus.thread)
      bus.cleanUp { publisher.close() }
      let endpoint = try bus.endpoint("events")
      try publisher.bind(to: endpoint)
      let subscriber = try EventSubscriber(
        to: endpoint, instance: "presence-a", in: bus.context, on: bus.thread)
      bus.cleanUp { subscriber.close() }
      let meeting = try MeetingID("5f0c6c5e-2a0b-4a51-9d3c-0e6f1a2b3c4d")
      subscriber.subscribe(to: .roster(of: meeting))
      let beacons = Inbox<V1.StreamBeacon>()
      let headers = Inbox<V1.EventHeader>()
      subscriber.onBeacon = { beacons.put($0) }
      subscriber.onEvent = { headers.put($0.header) }
      for _ in 1...2 { _ = await publisher.messages.next() }
      try publisher.send(MessageFrame(try golden.bytes("event")))
      try publisher.send(MessageFrame(try golden.bytes("beacon")))
      #expect(
        await headers.next()
          == V1.EventHeader(meetingID: meeting.text, epoch: 7, sequence: 42, term: 3))
      let beacon = await beacons.next()
      #expect(beacon.term == 3)
      #expect(beacon.isComplete)
      #expect(
        beacon.positions
          == [V1.MeetingPosition(meetingID: meeting.text, epoch: 7, lastSequence: 42)])
    }
  }
}

/// The parts of `proto/golden.json` that concern this module.
private struct Golden: Decodable {
  struct GoldenFrame: Decodable {
    let name: String
    let hex: String

    var bytes: [UInt8] { get throws { try Golden.bytes(of: hex) } }
  }

  struct GoldenBundle: Decodable {
    let name: String
    let hex: String
    let frames: [String]

    var bytes: [UInt8] { get throws { try Golden.bytes(of: hex) } }
    var frameBytes: [[UInt8]] { get throws { try frames.map(Golden.bytes(of:)) } }
  }

  let frames: [GoldenFrame]
  let bundles: [GoldenBundle]
  let malformed: [GoldenFrame]

  static func read() throws -> Golden {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    return try JSONDecoder().decode(
      Golden.self, from: Data(contentsOf: root.appending(path: "proto/golden.json")))
  }

  private static func bytes(of hex: String) throws -> [UInt8] {
    let digits = Array(hex.utf8)
    return try stride(from: 0, to: digits.count, by: 2).map { index in
      let pair = String(decoding: digits[index..<min(index + 2, digits.count)], as: UTF8.self)
      return try #require(UInt8(pair, radix: 16))
    }
  }

  func bytes(_ name: String) throws -> [UInt8] {
    try #require(frames.first { $0.name == name }).bytes
  }

  func body(_ name: String) throws -> [UInt8] {
    let bytes = try bytes(name)
    return Array(bytes[try WireFrame.split(bytes.span.bytes).body])
  }
}
