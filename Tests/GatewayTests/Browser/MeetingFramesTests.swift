import Bus
import MeetingModel
import NIOCore
import Testing
import Wire

@testable import Gateway

@Suite struct `A meeting as browsers are told of it` {
  private let frames = MeetingFrames { 1_700_000_000_000 }

  private func item(
    _ events: [V1.SessionEvent.Event], roster: UInt64? = nil, messages: UInt64? = nil
  ) -> SharedItem {
    var positions: [V1.StreamPosition] = []
    if let roster { positions.append(.init(stream: "roster", epoch: 1, sequence: roster)) }
    if let messages { positions.append(.init(stream: "messages", epoch: 7, sequence: messages)) }
    return SharedItem(
      V1.SessionEvents(events: events.map { .init(event: $0) }, positions: positions))
  }

  private func read(_ buffer: ByteBuffer) throws -> Signaling.SdkSignalFrame {
    var bytes = Array(buffer.readableBytesView)
    #expect(bytes[0] == 0x82)
    let header = bytes[1] < 126 ? 2 : bytes[1] == 126 ? 4 : 10
    bytes.removeFirst(header)
    #expect(bytes[0] == 2)
    return try SignalCodec.frame(in: bytes)
  }

  private func presence(
    _ id: String, _ state: V1.AttendeeState, at ms: UInt64 = 16_000, muted: Bool = false
  ) -> V1.SessionEvent.Event {
    .presenceChanged(
      .init(changes: [
        .init(
          attendee: .init(attendeeID: id, externalUserID: "\(id)-name"), state: state,
          isMuted: muted, joinedAtMs: ms)
      ]))
  }

  private func streams(_ item: SharedItem) throws -> [Signaling.SdkAudioStreamIdInfo] {
    try frames.translation(of: item).roster.flatMap {
      try read($0).audioStreamIDInfo?.streams ?? []
    }
  }

  @Test func `an item is translated once, and its bytes are the same for all`() throws {
    let item = item([presence("a", .joined)], roster: 1)
    let (first, second) = (
      try #require(frames.translation(of: item).roster.first),
      try #require(frames.translation(of: item).roster.first)
    )
    let places = unsafe [first, second].map { unsafe $0.withUnsafeReadableBytes { $0.baseAddress } }
    #expect(unsafe places[0] == places[1])
  }

  @Test func `stays have rising numbers, and end by them`() throws {
    let joins = try streams(item([presence("a", .joined), presence("b", .joined)], roster: 1))
    let numbers = joins.compactMap(\.audioStreamID)
    #expect(numbers.count == 2 && numbers[0] > 0 && numbers[1] > numbers[0])
    #expect(joins[0].muted == false && joins[0].externalUserID == "a-name")
    let left = try streams(item([presence("a", .left)], roster: 2))
    #expect(left == [.init(audioStreamID: numbers[0])])
    let again = try streams(item([presence("a", .joined, at: 32_000)], roster: 3))
    #expect(try #require(again.first?.audioStreamID) > numbers[1])
    let lost = try streams(item([presence("b", .dropped)], roster: 4))
    #expect(lost == [.init(audioStreamID: numbers[1], dropped: true)])
  }

  @Test func `a second roster ends who is not in it, a first one names nobody else`() throws {
    _ = frames.translation(of: item([presence("a", .joined), presence("b", .joined)], roster: 1))
    let snapshot = V1.RosterSnapshot(entries: [
      .init(attendee: .init(attendeeID: "b", externalUserID: "b"), joinedAtMs: 16_000)
    ])
    let item = item([.rosterSnapshot(snapshot)], roster: 9)
    func streams(isFirst: Bool) throws -> [Signaling.SdkAudioStreamIdInfo] {
      let made = frames.roster(snapshot, of: item, with: nil, and: [], isFirst: isFirst)
      return try made.flatMap { try read($0).audioStreamIDInfo?.streams ?? [] }
    }
    #expect(try streams(isFirst: true).map(\.attendeeID) == ["b"])
    let second = try streams(isFirst: false)
    #expect(second.map(\.attendeeID) == ["b", nil] && second[1].dropped == true)
  }

  @Test func `a first roster is what a snapshot and all that came behind it make`() throws {
    func entry(_ id: String) -> V1.RosterEntry {
      .init(attendee: .init(attendeeID: id, externalUserID: id), joinedAtMs: 16_000)
    }
    let snapshot = V1.RosterSnapshot(entries: [entry("a"), entry("b"), entry("c")])
    let packed = item([.rosterSnapshot(snapshot)], roster: 1)
    _ = frames.translation(of: packed)
    // Nobody had numbers when these came: the snapshot was made into none.
    let mute = V1.MuteChanged(changes: [.init(attendeeID: "b", isMuted: true)])
    let later = [
      item([presence("a", .left)], roster: 2), item([.muteChanged(mute)], roster: 3),
      item([presence("c", .left)], roster: 4),
      item([presence("c", .joined, at: 99_000)], roster: 5),
    ].flatMap { frames.translation(of: $0).changes }
    let told = try frames.roster(snapshot, of: packed, with: nil, and: later, isFirst: true)
      .flatMap { try read($0).audioStreamIDInfo?.streams ?? [] }
    #expect(told.map(\.attendeeID) == ["b", "c"])
    #expect(told.map(\.muted) == [true, false])
    let left = try streams(item([presence("c", .left)], roster: 6))
    #expect(left.map(\.audioStreamID) == [told[1].audioStreamID])
  }

  @Test func `what is the same to all is put together once, and what is not is left alone`() throws
  {
    let message = V1.DataMessage(topic: "chat", data: [1], timestampMs: 1)
    let items = [
      item([.dataMessage(message)], messages: 1), item([presence("a", .joined)], roster: 1),
    ]
    let parts = items.map(frames.translation(of:))
    let all = try #require(frames.bundle(of: items, presence: true))
    let whole = (parts[1].roster + parts[0].messages).flatMap { Array($0.readableBytesView) }
    #expect(Array(all.readableBytesView) == whole)
    let again = try #require(frames.bundle(of: items, presence: true))
    let places = unsafe [all, again].map { unsafe $0.withUnsafeReadableBytes { $0.baseAddress } }
    #expect(unsafe places[0] == places[1])
    let silent = try #require(frames.bundle(of: items, presence: false))
    #expect(silent.readableBytes == parts[0].messages.reduce(0) { $0 + $1.readableBytes })
    let snapshot = item([.rosterSnapshot(V1.RosterSnapshot())], roster: 2)
    #expect(frames.bundle(of: items + [snapshot], presence: true) == nil)
    #expect(frames.bundle(of: Array(items.prefix(1)), presence: true) != all)
  }

  @Test func `messages carry their times and the position behind them`() throws {
    let message = V1.DataMessage(
      sequence: 3, topic: "chat", data: [1],
      sender: .init(attendeeID: "a", externalUserID: "ada"), timestampMs: 1_700)
    let made = frames.translation(of: item([.dataMessage(message)], messages: 3)).messages
    let frame = try read(#require(made.first))
    #expect(frame.dataMessage?.messages.first?.ingestTimeNs == 1_700_000_000)
    #expect(frame.positions == [.init(stream: "messages", place: "7-3")])
    let position = try #require(frame.positions.first.flatMap(V1.StreamPosition.init(_:)))
    #expect(position == .init(stream: "messages", epoch: 7, sequence: 3))
    for place in ["", "7", "7-", "a-b", "7-3-1", "-7-3"] {
      #expect(V1.StreamPosition(.init(stream: "messages", place: place)) == nil)
    }
  }

  @Test func `who speaks is listed, and when nobody does somebody is listed as silent`() throws {
    _ = frames.translation(of: item([presence("a", .joined), presence("b", .joined)], roster: 1))
    var board = LevelBoard()
    func show(_ volume: V1.VolumeLevel, tick: UInt64) throws -> [Signaling.SdkAudioAttendeeState] {
      board.update(
        with: .init(events: [
          .init(
            event: .levelsChanged(
              .init(
                epoch: 1, tick: tick,
                volumes: [
                  .init(attendeeID: "b", level: volume), .init(attendeeID: "x", level: .high),
                ],
                signals: [.init(attendeeID: "b", strength: .low)])))
        ]))
      return try read(#require(frames.levels(board))).audioMetadata?.attendeeStates ?? []
    }
    let loud = try show(.high, tick: 1)
    #expect(loud.map(\.volume) == [14] && loud.map(\.signalStrength) == [1])
    let silent = try show(.notSpeaking, tick: 2)
    #expect(silent.compactMap(\.volume) == [127])
  }

  @Test func `an INDEX has all sources but the receiver's own`() throws {
    let layers = [V1.VideoLayer(ssrc: 1, width: 640, height: 360, bitsPerSecond: 600_000)]
    let sources = ["a", "b#content"].enumerated().map { index, id in
      V1.VideoSource(
        tileID: UInt32(index + 1), attendee: .init(attendeeID: id, externalUserID: id),
        layers: layers)
    }
    let board = V1.TileBoardSnapshot(epoch: 1, sequence: 1, sources: sources)
    let item = SharedItem(
      V1.SessionEvents(
        events: [.init(event: .tileBoardSnapshot(board))],
        positions: [.init(stream: "tiles", epoch: 1, sequence: 1)]))
    #expect(frames.translation(of: item).changesIndex)
    let all = try #require(read(frames.index(for: ["c"], mayPublish: true)).index)
    #expect(all.atCapacity == false && all.sources.map(\.attendeeID) == ["a", "b#content"])
    #expect(all.sources.allSatisfy { $0.mediaType == .video && $0.maxBitrateKbps == 600 })
    #expect(all.sources.map(\.groupID) == [1, 2] && all.sources.map(\.streamID) == [5, 9])
    let own = try #require(read(frames.index(for: ["b"], mayPublish: false)).index)
    #expect(own.atCapacity == true && own.sources.map(\.attendeeID) == ["a"])
  }
}
