import Bus
import DequeModule
import MeetingModel
import NIOCore
import Wire

/// What happens in one meeting, as the browsers that see it are told: each item is translated once,
/// and its frames are shared by all of them.
///
/// Lives on the gateway's socket thread.
final class MeetingFrames {
  /// What one item is to a browser.
  struct Translation {
    /// Who came, went, muted or unmuted.
    var roster: [ByteBuffer] = []

    /// The same, for one who is told of it with the whole roster.
    var changes: [RosterChange] = []

    /// The whole roster; the receiver may belong to it and not be in it.
    var snapshot: V1.RosterSnapshot?

    /// Messages, transcripts and what is for the log: they follow the first INDEX.
    var messages: [ByteBuffer] = []
    var changesLevels = false
    var changesIndex = false

    /// The receiver's session has begun.
    var isBeginning = false

    /// Whether the receiver may send camera video; `nil`: nothing is said of it.
    var mayPublish: Bool?

    /// What was decided of the receiver's tiles.
    var tiles: [V1.TileState] = []

    /// What the receiver sent and is not shown any more, with why.
    var ended: [V1.PublishedVideoEnded] = []

    /// The estimate of the receiver's downlink, in bit/s; `nil`: nothing is said of it.
    var downlink: UInt32?

    /// The receiver only watches from now on.
    var isDemoted = false

    /// It is the same to all, whatever each was told before.
    var isAlike: Bool {
      !(isBeginning || isDemoted || changesLevels || changesIndex) && snapshot == nil
        && mayPublish == nil && tiles.isEmpty && ended.isEmpty && downlink == nil
    }
  }

  private let now: () -> UInt64
  private var numbers = StreamNumbers()
  private var sources: [UInt32: V1.VideoSource] = [:]
  private var sourcesVersion: UInt64 = 0
  private var applied: [String: StreamCursor] = [:]
  private var recent: Deque<(item: SharedItem, translation: Translation)> = []
  private var levels: (tick: UInt64, frame: ByteBuffer?)?
  private var tail = SpeechTail()
  private var indexes: [IndexKind: ByteBuffer] = [:]

  /// The attendees who are there, as far as it has been told; their content shares are none.
  private var present: Set<String> = []
  private var bundle: (items: [SharedItem], presence: Bool, frames: ByteBuffer)?
  private var rosters: [(item: SharedItem, isFirst: Bool, frames: [ByteBuffer])] = []

  /// How many items are remembered with their frames: those who hear of an item hear of it in the
  /// same turn, or of the last few when they come.
  private static let mostRecent = 64

  /// Payloads in one frame at most.
  private static let mostPayloads = 64

  /// Frames of INDEX that are remembered.
  private static let mostIndexes = 4

  /// Entries of a roster in one frame at most.
  private static let mostEntries = 1_000

  /// How many browsers hear of it.
  var users = 0

  /// The levels in the meeting as they are.
  let board: () -> LevelBoard?

  /// Levels may have to be told at each step from now on.
  private let onSpeech: () -> Void

  /// What an INDEX says beside the sources: where it is the same, so is the frame.
  private struct IndexKind: Hashable {
    let version: UInt64
    let participants: Int
    let mayPublish: Bool
  }

  /// - Parameters:
  ///   - board: The levels in the meeting as they are; `nil` while none are known.
  ///   - onSpeech: Called when ``step()`` may have levels to send.
  ///   - now: Milliseconds since 1970-01-01T00:00:00Z.
  init(
    board: @escaping () -> LevelBoard?, onSpeech: @escaping () -> Void,
    now: @escaping () -> UInt64
  ) { (self.board, self.onSpeech, self.now) = (board, onSpeech, now) }

  // MARK: Items

  /// What an item is to browsers.
  func translation(of item: SharedItem) -> Translation {
    if let known = recent.last(where: { $0.item === item }) { return known.translation }
    // What a service packed can be unpacked.
    let events = (try? V1.SessionEvents(packed: item.body)) ?? V1.SessionEvents()
    let translation = translate(events)
    if recent.count == Self.mostRecent { recent.removeFirst() }
    recent.append((item, translation))
    return translation
  }

  /// The frames of some items in one buffer, which is the same for all who are told of just these:
  /// most turns tell most browsers of the same items.
  ///
  /// - Parameter presence: Who comes and goes is told, too.
  /// - Returns: `nil` for what is not the same to all.
  func bundle(of items: [SharedItem], presence: Bool) -> ByteBuffer? {
    if let bundle, bundle.presence == presence, bundle.items.elementsEqual(items, by: ===) {
      return bundle.frames
    }
    var parts: (roster: [ByteBuffer], messages: [ByteBuffer]) = ([], [])
    for item in items {
      let translation = translation(of: item)
      guard translation.isAlike else { return nil }
      parts.roster += translation.roster
      parts.messages += translation.messages
    }
    var frames = ByteBuffer()
    if presence { for part in parts.roster { frames.writeImmutableBuffer(part) } }
    for part in parts.messages { frames.writeImmutableBuffer(part) }
    bundle = (items, presence, frames)
    return frames
  }

  private func translate(_ events: V1.SessionEvents) -> Translation {
    var translation = Translation()
    var entries: [Signaling.SdkAudioStreamIdInfo] = []
    var payloads: [Signaling.SdkDataMessagePayload] = []
    let isNew = apply(events.positions)
    for event in events.events.compactMap(\.event) {
      switch event {
      case .sessionStarted: translation.isBeginning = true
      case .rosterSnapshot(let snapshot):
        translation.snapshot = snapshot
        if isNew { present = Set(snapshot.attendees) }
        onSpeech()
      case .presenceChanged(let change):
        entries += change.changes.compactMap { entry(of: $0, isNew: isNew) }
        translation.changes += change.changes.map { .presence($0) }
      case .muteChanged(let change):
        entries += change.changes.compactMap(entry(of:))
        translation.changes += change.changes.map { .mute($0) }
      case .levelsChanged(let change):
        // While they are told at each step, a change is told with the next one.
        translation.changesLevels = tail.isOver
        tail.hear(change.volumes.filter { $0.level.attenuation != nil }.map(\.attendeeID))
        if !tail.isOver { onSpeech() }
      case .dataMessage(let message): payloads.append(.init(message))
      case .videoSourcesChanged(let change):
        if isNew { apply(change) }
        translation.changesIndex = true
      case .tileBoardSnapshot(let board):
        replaceSources(board)
        translation.mayPublish = board.receivers.first?.camera.map(\.isAvailable)
        translation.tiles += board.receivers.first?.tiles ?? []
        translation.changesIndex = true
      case .cameraAvailabilityChanged(let change):
        translation.mayPublish = change.isAvailable
        translation.changesIndex = true
      case .demotedFromPrimaryMeeting: translation.isDemoted = true
      case .eventsLost(let lost):
        translation.messages.append(
          frame(.notification) {
            $0.notification = .init(level: .warning, message: "Lost events of \(lost.stream).")
          })
      case .publishedVideoEnded(let ended): translation.ended.append(ended)
      case .tilesChanged(let change): translation.tiles += change.tiles
      case .mediaMetrics(let metrics):
        let downlink = metrics.availableReceiveBitsPerSecond
        if downlink > 0 { translation.downlink = downlink }
      case .capabilitiesChanged, .transcriptEvents, .transcriptSnapshot, .mediaMoved,
        .gatewaysChanged:
        break
      }
    }
    if !entries.isEmpty { translation.roster = rosterFrames(entries) }
    translation.messages += messageFrames(payloads, events.positions)
    return translation
  }

  /// Notes how far the meeting has come.
  ///
  /// - Returns: Whether these positions are the newest so far: what is older has been taken in.
  private func apply(_ positions: [V1.StreamPosition]) -> Bool {
    var isNew = positions.isEmpty
    for position in positions {
      let cursor = StreamCursor(epoch: position.epoch, sequence: position.sequence)
      if let known = applied[position.stream], known.epoch == cursor.epoch,
        known.sequence >= cursor.sequence
      {
        continue
      }
      applied[position.stream] = cursor
      isNew = true
    }
    return isNew
  }

  // MARK: Roster

  private func entry(
    of change: V1.PresenceChange, isNew: Bool
  ) -> Signaling.SdkAudioStreamIdInfo? {
    guard let attendee = change.attendee else { return nil }
    switch change.state {
    case .joined:
      if isNew, !attendee.isContent { present.insert(attendee.attendeeID) }
      let number = numbers.number(of: attendee.attendeeID, since: change.joinedAtMs)
      return .init(
        audioStreamID: number, attendeeID: attendee.attendeeID,
        muted: Self.muted(change.isMuted || change.isMutedByOperator, change.isMuteUnknown),
        externalUserID: attendee.externalUserID, displayName: attendee.ownName)
    case .left, .dropped:
      if isNew { present.remove(attendee.attendeeID) }
      guard let number = numbers.number(of: attendee.attendeeID) else { return nil }
      if isNew { numbers.end(attendee.attendeeID) }
      return .init(audioStreamID: number, dropped: change.state == .dropped ? true : nil)
    case .unspecified, .unrecognized: return nil
    }
  }

  /// What is said of a microphone: nothing while its client has not said whether it is open.
  private static func muted(_ isMuted: Bool, _ isUnknown: Bool) -> Bool? {
    isUnknown && !isMuted ? nil : isMuted
  }

  private func entry(of change: V1.MuteChange) -> Signaling.SdkAudioStreamIdInfo? {
    numbers.number(of: change.attendeeID).map {
      .init(audioStreamID: $0, muted: change.isMuted || change.isMutedByOperator)
    }
  }

  /// The whole roster. To one who has had another one, whoever was known and is not in it has gone.
  ///
  /// - Parameters:
  ///   - item: The last one that is contained; those who have come as far share the frames.
  ///   - own: The receiver, where it is not in the roster of the meeting that it sees.
  ///   - later: What has happened since, for one who must be told all by the first frame. Only what
  ///     is left of both gets numbers: the snapshot may know those who have gone since.
  func roster(
    _ snapshot: V1.RosterSnapshot, of item: SharedItem, with own: V1.RosterEntry?,
    and later: [RosterChange], isFirst: Bool
  ) -> [ByteBuffer] {
    let known = rosters.last { $0.item === item && $0.isFirst == isFirst }
    if own == nil, let known { return known.frames }
    var entries: [Signaling.SdkAudioStreamIdInfo] = []
    for entry in snapshot.entries.after(later) + (own.map { [$0] } ?? []) {
      guard let attendee = entry.attendee else { continue }
      let number = numbers.number(of: attendee.attendeeID, since: entry.joinedAtMs)
      entries.append(
        .init(
          audioStreamID: number, attendeeID: attendee.attendeeID,
          muted: Self.muted(entry.isMuted || entry.isMutedByOperator, entry.isMuteUnknown),
          externalUserID: attendee.externalUserID, displayName: attendee.ownName))
    }
    let present = Set(entries.compactMap(\.attendeeID))
    for stay in numbers.known where !isFirst && !present.contains(stay.participant) {
      entries.append(.init(audioStreamID: stay.number, dropped: stay.isPresent ? true : nil))
    }
    let frames = rosterFrames(entries)
    guard own == nil else { return frames }
    if rosters.count >= 4 { rosters.removeFirst() }
    rosters.append((item, isFirst, frames))
    return frames
  }

  private func rosterFrames(_ entries: [Signaling.SdkAudioStreamIdInfo]) -> [ByteBuffer] {
    entries.chunks(of: Self.mostEntries).map { part in
      frame(.audioStreamIDInfo) { $0.audioStreamIDInfo = .init(streams: part) }
    }
  }

  // MARK: Levels

  /// Volumes and signals as they are: all who speak and all whose link is bad.
  func levels(_ board: LevelBoard) -> ByteBuffer? {
    if let levels, levels.tick == board.tick { return levels.frame }
    let frame = makeLevels(board.all(epoch: 0))
    levels = (board.tick, frame)
    return frame
  }

  /// One step of ``SpeechTail`` has passed.
  ///
  /// - Returns: The levels that all are told of; `nil` while nobody speaks or spoke a moment ago.
  func step() -> ByteBuffer? {
    guard let board = board() else {
      tail = SpeechTail()
      return nil
    }
    let all = board.all(epoch: 0)
    let speakers = all.volumes.filter { $0.level.attenuation != nil }.map(\.attendeeID)
    tail.advance(speaking: Set(speakers))
    guard !tail.isOver else { return nil }
    let frame = makeLevels(all)
    levels = (board.tick, frame)
    return frame
  }

  private func makeLevels(_ all: V1.LevelsChanged) -> ByteBuffer? {
    var states: [UInt32: Signaling.SdkAudioAttendeeState] = [:]
    let present = numbers.known.filter(\.isPresent)
    guard let first = present.first?.number else { return nil }
    let byID = Dictionary(present.map { ($0.participant, $0.number) }) { $1 }
    for volume in all.volumes {
      guard let number = byID[volume.attendeeID], let loudness = volume.level.attenuation else {
        continue
      }
      states[number] = .init(audioStreamID: number, volume: loudness)
    }
    for number in tail.attendees.compactMap({ byID[$0] }) where states[number] == nil {
      states[number] = .init(audioStreamID: number, volume: Self.silence)
    }
    // A frame without any volume says nothing of volumes; one of somebody silent, that all are.
    if states.isEmpty { states[first] = .init(audioStreamID: first, volume: Self.silence) }
    var isImpaired = false
    for signal in all.signals {
      guard let number = byID[signal.attendeeID], let strength = signal.strength.impairment else {
        continue
      }
      states[number, default: .init(audioStreamID: number)].signalStrength = strength
      isImpaired = true
    }
    if !isImpaired { states[first, default: .init(audioStreamID: first)].signalStrength = 2 }
    let sorted = states.sorted { $0.key < $1.key }.map(\.value)
    return frame(.audioMetadata) { $0.audioMetadata = .init(attendeeStates: sorted) }
  }

  /// What a silent attendee is said to be at, in decibels below full scale; 42 and more are none.
  private static let silence: UInt32 = 127

  // MARK: Video

  private func apply(_ change: V1.VideoSourcesChanged) {
    for source in change.available { sources[source.tileID] = source }
    for source in change.unavailable { sources[source.tileID] = nil }
    sourcesVersion += 1
  }

  private func replaceSources(_ board: V1.TileBoardSnapshot) {
    let newest = Dictionary(board.sources.map { ($0.tileID, $0) }) { $1 }
    guard newest != sources else { return }
    sources = newest
    sourcesVersion += 1
  }

  /// Returns an encoding of somebody else; `nil` where there is none of this number.
  ///
  /// - Parameter owners: Attendee ids that are the receiver's.
  func stream(_ id: UInt32, for owners: Set<String>) -> PictureStream? {
    guard id != 0, let source = sources[PictureStream.tileID(of: id)],
      !owners.contains(source.owner)
    else { return nil }
    return PictureStream(source, layer: PictureStream.layer(of: id))
  }

  /// The video sources of the meeting but the receiver's own.
  ///
  /// - Parameters:
  ///   - owners: Attendee ids that are the receiver's.
  ///   - isSeen: The receiver is in the roster of the meeting that it sees.
  func index(for owners: Set<String>, mayPublish: Bool, isSeen: Bool = true) -> ByteBuffer {
    let own = sources.values.contains { owners.contains($0.owner) }
    let kind = IndexKind(
      version: sourcesVersion, participants: present.count + (isSeen ? 0 : 1),
      mayPublish: mayPublish)
    if !own, let known = indexes[kind] { return known }
    let listed = sources.values.filter { !owners.contains($0.owner) }.sorted {
      $0.tileID < $1.tileID
    }
    let frame = frame(.index) { frame in
      frame.index = .init(
        atCapacity: !mayPublish, sources: listed.flatMap(\.descriptors),
        numParticipants: UInt32(clamping: kind.participants),
        supportedReceiveCodecIntersection: [.vp8, .h264ConstrainedBaselineProfile])
    }
    guard !own else { return frame }
    if indexes.count >= Self.mostIndexes { indexes = [:] }
    indexes[kind] = frame
    return frame
  }

  /// What the sources send at most, and what the receiver's link carries. A client takes a stream
  /// that is not listed for one that is not sent.
  ///
  /// - Parameter downlink: The estimate for the receiver, in bit/s.
  func bitrates(for owners: Set<String>, downlink: UInt32) -> ByteBuffer {
    let listed = sources.values.filter { !owners.contains($0.owner) }.sorted {
      $0.tileID < $1.tileID
    }
    let bitrates = listed.flatMap(\.descriptors).map {
      Signaling.SdkBitrate(sourceStreamID: $0.streamID, avgBitrateBps: $0.avgBitrateBps)
    }
    return frame(.bitrates) {
      $0.bitrates = .init(
        bitrates: bitrates, serverAvailableOutgoingBitrate: max(downlink / 1_000, 1))
    }
  }

  // MARK: Messages

  private func messageFrames(
    _ payloads: [Signaling.SdkDataMessagePayload], _ positions: [V1.StreamPosition]
  ) -> [ByteBuffer] {
    let kept = positions.filter { $0.stream == "messages" || $0.stream == "transcripts" }
    var parts = payloads.chunks(of: Self.mostPayloads)
    if parts.isEmpty, !kept.isEmpty { parts = [[]] }
    return parts.indices.map { index in
      frame(.dataMessage) { frame in
        frame.dataMessage = .init(messages: Array(parts[index]))
        guard index == parts.count - 1 else { return }
        frame.positions = kept.map(Signaling.CarillonPosition.init(_:))
      }
    }
  }

  // MARK: Frames

  /// A frame of this moment.
  func frame(
    _ kind: Signaling.SdkSignalFrame.Kind, _ fill: (inout Signaling.SdkSignalFrame) -> Void
  ) -> ByteBuffer {
    var frame = Signaling.SdkSignalFrame(timestampMs: now(), type: kind)
    fill(&frame)
    return ServerFrame.binary(SignalCodec.message(frame))
  }
}

extension Array {
  /// The elements in order, at most so many in each part.
  fileprivate func chunks(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}

extension Signaling.SdkDataMessagePayload {
  fileprivate init(_ message: V1.DataMessage) {
    self.init(
      topic: message.topic, data: message.data,
      senderAttendeeID: message.sender?.attendeeID ?? "",
      ingestTimeNs: Int64(clamping: message.timestampMs) &* 1_000_000,
      senderExternalUserID: message.sender?.externalUserID ?? "",
      senderDisplayName: message.sender?.ownName)
  }
}

extension V1.AttendeeInfo {
  fileprivate var isContent: Bool { attendeeID.contains("#") }

  /// What people call the attendee; `nil`: its external user id is shown.
  fileprivate var ownName: String? { displayName.isEmpty ? nil : displayName }
}

extension V1.RosterSnapshot {
  /// The ids of those who are there, without content shares.
  fileprivate var attendees: [String] {
    entries.compactMap(\.attendee).filter { !$0.isContent }.map(\.attendeeID)
  }
}

extension V1.VolumeLevel {
  /// Decibels below full scale, of which browsers make 0.25, 0.5 and 1; `nil` for silence.
  fileprivate var attenuation: UInt32? {
    switch self {
    case .low: 35
    case .medium: 28
    case .high: 14
    case .unspecified, .muted, .notSpeaking, .unrecognized: nil
    }
  }
}

extension V1.SignalStrength {
  /// `nil` for a good link.
  fileprivate var impairment: UInt32? {
    switch self {
    case .none: 0
    case .low: 1
    case .unspecified, .high, .unrecognized: nil
    }
  }
}

extension V1.VideoSource {
  /// Its encodings as browsers know them: all of one source are one group.
  fileprivate var descriptors: [Signaling.SdkStreamDescriptor] {
    layers.enumerated().map { index, layer in
      .init(
        streamID: PictureStream.id(of: tileID, layer: index), framerate: layer.framesPerSecond,
        maxBitrateKbps: layer.bitsPerSecond / 1_000, groupID: tileID,
        avgBitrateBps: layer.bitsPerSecond, attendeeID: attendee?.attendeeID ?? "",
        mediaType: .video, externalUserID: attendee?.externalUserID ?? "",
        width: layer.width, height: layer.height, displayName: attendee?.ownName)
    }
  }
}
