import Bus
import MeetingModel
import NIOCore
import Testing
import Wire

@testable import Gateway

@Suite struct MeetingSignalFramesTests {
  private let frames = MeetingSignalFrames(board: { nil }, onSpeech: {}, now: { 1_700_000_000_000 })

  private func item(
    _ events: [V1.SessionEvent.Event], roster: UInt64? = nil, messages: UInt64? = nil
  ) -> PackedSessionEvents {
    var positions: [V1.StreamPosition] = []
    if let roster { positions.append(.init(stream: "roster", epoch: 1, sequence: roster)) }
    if let messages { positions.append(.init(stream: "messages", epoch: 7, sequence: messages)) }
    return PackedSessionEvents(
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

  private func streams(_ item: PackedSessionEvents) throws -> [Signaling.SdkAudioStreamIdInfo] {
    try frames.translation(of: item).roster.flatMap {
      try read($0).audioStreamIDInfo?.streams ?? []
    }
  }

  @Test func `an item is converted once, and all browsers get the same bytes`() throws {
    let item = item([presence("a", .joined)], roster: 1)
    let (first, second) = (
      try #require(frames.translation(of: item).roster.first),
      try #require(frames.translation(of: item).roster.first)
    )
    let places = unsafe [first, second].map { unsafe $0.withUnsafeReadableBytes { $0.baseAddress } }
    #expect(unsafe places[0] == places[1])
  }

  @Test func `each join gets a higher stream number, and the leave reports that number`() throws {
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

  @Test func `a join carries the display name only if the attendee has one`() throws {
    let hanako = V1.AttendeeInfo(
      attendeeID: "a", externalUserID: "guest-1", displayName: "花子")
    let change = V1.PresenceChange(attendee: hanako, state: .joined, joinedAtMs: 16_000)
    let joins = try streams(
      item([.presenceChanged(.init(changes: [change])), presence("b", .joined)], roster: 1))
    #expect(joins.map(\.displayName) == ["花子", nil])
    #expect(joins.map(\.externalUserID) == ["guest-1", "b-name"])

    let snapshot = V1.RosterSnapshot(entries: [.init(attendee: hanako, joinedAtMs: 16_000)])
    let whole = item([.rosterSnapshot(snapshot)], roster: 2)
    let made = frames.roster(snapshot, of: whole, with: nil, and: [], isFirst: true)
    #expect(
      try made.flatMap { try read($0).audioStreamIDInfo?.streams ?? [] }.map(\.displayName)
        == ["花子"])

    let message = item(
      [.dataMessage(.init(sequence: 1, topic: "chat", sender: hanako))], messages: 1)
    let payloads = try frames.translation(of: message).messages.flatMap {
      try read($0).dataMessage?.messages ?? []
    }
    #expect(payloads.map(\.senderDisplayName) == ["花子"])
  }

  @Test func `attendees who are missing from a second roster are removed`() throws {
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

  @Test func `a first roster combines the snapshot with all later changes`() throws {
    func entry(_ id: String) -> V1.RosterEntry {
      .init(attendee: .init(attendeeID: id, externalUserID: id), joinedAtMs: 16_000)
    }
    let snapshot = V1.RosterSnapshot(entries: [entry("a"), entry("b"), entry("c")])
    let packed = item([.rosterSnapshot(snapshot)], roster: 1)
    _ = frames.translation(of: packed)
    // When these events arrived, no browser had a stream number, so the gateway had not yet
    // numbered the attendees in the snapshot.
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

  @Test func `frames for everybody are bundled once, and frames for one client are not bundled`()
    throws
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

  @Test
  func `the frame of a message contains the message's time and the position after the message`()
    throws
  {
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

  @Test func `the levels list the speakers, or one silent attendee when nobody speaks`() throws {
    _ = frames.translation(of: item([presence("a", .joined), presence("b", .joined)], roster: 1))
    var board = ParticipantLevels()
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

  @Test func `while anybody speaks, the levels are sent regularly and include silent attendees`()
    throws
  {
    var board: ParticipantLevels?
    var calls = 0
    let frames = MeetingSignalFrames(
      board: { board }, onSpeech: { calls += 1 }, now: { 1_700_000_000_000 })
    _ = frames.translation(of: item([presence("a", .joined), presence("b", .joined)], roster: 1))
    func show(_ volume: V1.VolumeLevel, of id: String, tick: UInt64)
      -> MeetingSignalFrames.Translation
    {
      let change = V1.LevelsChanged(
        epoch: 1, tick: tick, volumes: [.init(attendeeID: id, level: volume)])
      let events = V1.SessionEvents(events: [.init(event: .levelsChanged(change))])
      var newest = board ?? ParticipantLevels()
      newest.update(with: events)
      board = newest
      return frames.translation(of: PackedSessionEvents(events))
    }
    func step() throws -> [UInt32?]? {
      try frames.step().map { try read($0).audioMetadata?.attendeeStates.map(\.volume) ?? [] }
    }
    #expect(try step() == nil)
    // The gateway sends the first change immediately. Each later step sends at most one frame.
    #expect(show(.notSpeaking, of: "a", tick: 1).changesLevels && calls == 0)
    #expect(show(.high, of: "a", tick: 2).changesLevels && calls == 1)
    #expect(try step() == [14])
    #expect(try step() == [14])
    #expect(!show(.low, of: "b", tick: 3).changesLevels)
    #expect(try step() == [14, 35])
    #expect(!show(.notSpeaking, of: "a", tick: 4).changesLevels)
    #expect(try step() == [127, 35])
    #expect(!show(.notSpeaking, of: "b", tick: 5).changesLevels)
    var silent = 0
    while let told = try step() {
      #expect(told.compactMap(\.self).allSatisfy { $0 == 127 })  // The server sent one signal.
      silent += 1
    }
    #expect((40...50).contains(silent))
    #expect(show(.medium, of: "b", tick: 6).changesLevels)
  }

  @Test func `frames omit a mute state that the client has never reported`() throws {
    func joined(_ id: String, isMuted: Bool, byOperator: Bool) -> V1.PresenceChange {
      .init(
        attendee: .init(attendeeID: id, externalUserID: id), state: .joined, isMuted: isMuted,
        isMutedByOperator: byOperator, joinedAtMs: 16_000, isMuteUnknown: true)
    }
    let changes = [
      joined("a", isMuted: false, byOperator: false), joined("b", isMuted: true, byOperator: true),
    ]
    let joins = item([.presenceChanged(.init(changes: changes))], roster: 1)
    #expect(try streams(joins).map(\.muted) == [nil, true])
    let snapshot = V1.RosterSnapshot(
      entries: [V1.RosterEntry]().after(frames.translation(of: joins).changes))
    let packed = item([.rosterSnapshot(snapshot)], roster: 2)
    let told = try frames.roster(snapshot, of: packed, with: nil, and: [], isFirst: true)
      .flatMap { try read($0).audioStreamIDInfo?.streams ?? [] }
    #expect(told.map(\.muted) == [nil, true])
    let mute = V1.MuteChanged(changes: [.init(attendeeID: "a", isMuted: false)])
    #expect(try streams(item([.muteChanged(mute)], roster: 3)).map(\.muted) == [false])
  }

  @Test func `an INDEX counts the attendees but not the attendees' content shares`() throws {
    func count(isSeen: Bool = true) throws -> UInt32? {
      try read(frames.index(for: ["a"], mayPublish: true, isSeen: isSeen)).index?.numParticipants
    }
    let snapshot = V1.RosterSnapshot(
      entries: ["a", "b", "b#content"].map {
        .init(attendee: .init(attendeeID: $0, externalUserID: $0), joinedAtMs: 16_000)
      })
    let packed = item([.rosterSnapshot(snapshot)], roster: 5)
    _ = frames.translation(of: packed)
    #expect(try count() == 2)
    #expect(try count(isSeen: false) == 3)
    _ = frames.translation(of: item([presence("c", .joined)], roster: 6))
    _ = frames.translation(of: item([presence("b", .left)], roster: 7))
    _ = frames.translation(of: item([presence("d", .joined)], roster: 8))
    #expect(try count() == 3)
    // The gateway repeats events for a later receiver. A repeated event does not count as a change.
    _ = frames.translation(of: item([.rosterSnapshot(snapshot)], roster: 5))
    _ = frames.translation(of: item([presence("c", .joined)], roster: 6))
    #expect(try count() == 3)
  }

  @Test func `clients at the same position share the frames of a roster`() throws {
    func roster(_ last: PackedSessionEvents, with own: V1.RosterEntry? = nil) -> [ByteBuffer] {
      frames.roster(V1.RosterSnapshot(), of: last, with: own, and: later, isFirst: true)
    }
    let joins = item([presence("a", .joined)], roster: 2)
    let later = frames.translation(of: joins).changes
    let (first, second) = (roster(joins), roster(joins))
    let places = unsafe [first[0], second[0]].map {
      unsafe $0.withUnsafeReadableBytes { $0.baseAddress }
    }
    #expect(unsafe places[0] == places[1])
    let own = V1.RosterEntry(attendee: .init(attendeeID: "me", externalUserID: "me"))
    let names = try read(roster(joins, with: own)[0]).audioStreamIDInfo?.streams.map(\.attendeeID)
    #expect(names == ["a", "me"])
  }

  @Test func `tiles and bandwidth estimates go to one receiver only`() {
    let states = [V1.TileState(tileID: 3, pauseState: .pausedForPoorConnection)]
    let changed = frames.translation(of: item([.tilesChanged(.init(tiles: states))]))
    #expect(changed.tiles == states && !changed.isAlike)
    let metrics = V1.MediaMetrics(availableReceiveBitsPerSecond: 900_000)
    let measured = frames.translation(of: item([.mediaMetrics(metrics)]))
    #expect(measured.metrics == metrics && !measured.isAlike)
    let sent = V1.MediaMetrics(videoSend: .init())
    #expect(frames.translation(of: item([.mediaMetrics(sent)])).metrics == sent)
    #expect(frames.translation(of: item([.mediaMetrics(.init())])).isAlike)
    let ended = V1.PublishedVideoEnded(tileID: 3, kind: .camera)
    let over = frames.translation(of: item([.publishedVideoEnded(ended)]))
    #expect(over.ended == [ended] && !over.isAlike)
  }

  /// Announces a camera of the attendee `a`, and a content share of the attendee `b`.
  private func announceSources() {
    let layers = [V1.VideoLayer(ssrc: 1, width: 640, height: 360, bitsPerSecond: 600_000)]
    let sources = ["a", "b#content"].enumerated().map { index, id in
      V1.VideoSource(
        tileID: UInt32(index + 1), attendee: .init(attendeeID: id, externalUserID: id),
        layers: layers)
    }
    let board = V1.TileBoardSnapshot(epoch: 1, sequence: 1, sources: sources)
    let item = PackedSessionEvents(
      V1.SessionEvents(
        events: [.init(event: .tileBoardSnapshot(board))],
        positions: [.init(stream: "tiles", epoch: 1, sequence: 1)]))
    #expect(frames.translation(of: item).changesIndex)
  }

  @Test func `BITRATES lists the sources of others and the receiver's own streams`() throws {
    announceSources()
    var metrics = V1.MediaMetrics(availableReceiveBitsPerSecond: 2_500_000)
    var rates = try #require(read(frames.bitrates(for: ["b"], metrics)).bitrates)
    #expect(rates.serverAvailableOutgoingBitrate == 2_500)
    #expect(rates.bitrates == [.init(sourceStreamID: 5, avgBitrateBps: 600_000)])

    // The receiver's own streams have measured bitrates. The frame omits an entry without a layer.
    metrics = V1.MediaMetrics(
      sentLayers: [.init(tileID: 2, layer: 1, bitsPerSecond: 90_000), .init(tileID: 2, layer: 0)])
    rates = try #require(read(frames.bitrates(for: ["b"], metrics)).bitrates)
    #expect(rates.serverAvailableOutgoingBitrate == nil)
    #expect(
      rates.bitrates == [
        .init(sourceStreamID: 5, avgBitrateBps: 600_000),
        .init(sourceStreamID: 9, avgBitrateBps: 90_000),
      ])
  }

  @Test func `an INDEX lists all sources except the receiver's own`() throws {
    announceSources()
    let all = try #require(read(frames.index(for: ["c"], mayPublish: true)).index)
    #expect(all.atCapacity == false && all.sources.map(\.attendeeID) == ["a", "b#content"])
    #expect(all.sources.allSatisfy { $0.mediaType == .video && $0.maxBitrateKbps == 600 })
    #expect(all.sources.map(\.groupID) == [1, 2] && all.sources.map(\.streamID) == [5, 9])
    let own = try #require(read(frames.index(for: ["b"], mayPublish: false)).index)
    #expect(own.atCapacity == true && own.sources.map(\.attendeeID) == ["a"])
    #expect(all.supportedReceiveCodecIntersection == [.vp8, .h264ConstrainedBaselineProfile])

    #expect(frames.stream(9, for: ["c"])?.participantID == "b#content")
    // A receiver has no stream for its own share, for a missing layer or for a missing tile.
    #expect(frames.stream(9, for: ["b"]) == nil)
    for id in [0, 1, 6, 8, 13, .max] as [UInt32] { #expect(frames.stream(id, for: ["c"]) == nil) }
  }

  @Test func `an INDEX lists the codecs that all receivers decode`() throws {
    func codecs() throws -> [Signaling.SdkVideoCodecCapability] {
      try #require(read(frames.index(for: ["c"], mayPublish: true)).index)
        .supportedReceiveCodecIntersection
    }
    func take(_ event: V1.SessionEvent.Event, _ sequence: UInt64) {
      let item = PackedSessionEvents(
        V1.SessionEvents(
          events: [.init(event: event)],
          positions: [.init(stream: "tiles", epoch: 1, sequence: sequence)]))
      #expect(frames.translation(of: item).changesIndex)
    }
    #expect(try codecs() == [.vp8, .h264ConstrainedBaselineProfile])
    let board = V1.TileBoardSnapshot(epoch: 1, sequence: 1, codecs: [.vp8, .h264, .vp9, .av1])
    take(.tileBoardSnapshot(board), 1)
    #expect(try codecs() == [.vp8, .h264ConstrainedBaselineProfile, .vp9Profile0, .av1MainProfile])
    take(.videoCodecsChanged(.init(codecs: [.vp8])), 2)
    #expect(try codecs() == [.vp8])
    // An older event changes nothing, and the gateway omits a codec that it does not know.
    take(.videoCodecsChanged(.init(codecs: [.h264])), 2)
    #expect(try codecs() == [.vp8])
    take(.videoCodecsChanged(.init(codecs: [.vp8, .unrecognized(9)])), 3)
    #expect(try codecs() == [.vp8])
  }
}
