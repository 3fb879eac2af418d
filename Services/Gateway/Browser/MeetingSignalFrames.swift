import Bus
import DequeModule
import MeetingModel
import NIOCore
import Wire

/// One meeting's events, as frames for the browsers in the meeting.
///
/// The object translates each item once, and all browsers share the resulting frames. All methods
/// run on the gateway's socket thread.
final class MeetingSignalFrames {
  /// The translation of one item for browsers.
  struct Translation {
    /// Attendees who joined, left, muted or unmuted.
    var roster: [ByteBuffer] = []

    /// The changes in ``roster``, for a browser that receives the whole roster later.
    var changes: [RosterChange] = []

    /// The whole roster. The roster may lack the receiver, although the receiver is in the meeting.
    var snapshot: V1.RosterSnapshot?

    /// Messages, transcripts and log entries. The receiver gets them after the first INDEX.
    var messages: [ByteBuffer] = []
    var changesLevels = false
    var changesIndex = false

    /// Whether the item begins the receiver's session.
    var isBeginning = false

    /// Whether the receiver may send camera video; `nil` if the item does not change this
    /// permission.
    var mayPublish: Bool?

    /// The decisions of `video-tiles` about the receiver's tiles.
    var tiles: [V1.TileState] = []

    /// The receiver's own published video that has ended, with the reason.
    var ended: [V1.PublishedVideoEnded] = []

    /// The measurements of the receiver's link and of the receiver's own video; `nil` if the item
    /// has no measurements, or if the receiver sends no video and its downlink has no estimate.
    var metrics: V1.MediaMetrics?

    /// Whether the receiver's promotion has ended, so that the receiver now only watches.
    var isDemoted = false

    /// Whether every browser gets the same frames for the item, whatever the browser received
    /// before.
    var isAlike: Bool {
      !(isBeginning || isDemoted || changesLevels || changesIndex) && snapshot == nil
        && mayPublish == nil && tiles.isEmpty && ended.isEmpty && metrics == nil
    }
  }

  private let now: () -> UInt64
  private var numbers = AttendanceIDs()
  private var sources: [UInt32: V1.VideoSource] = [:]
  private var sourcesVersion: UInt64 = 0

  /// The codecs that all receivers decode. If `video-tiles` is too old to name the codecs, these
  /// are VP8 and H.264.
  private var codecs: [V1.VideoCodec] = [.vp8, .h264]
  private var applied: [String: StreamCursor] = [:]
  private var recent: Deque<(item: PackedSessionEvents, translation: Translation)> = []
  private var levels: (edition: ParticipantLevels.Edition, frame: ByteBuffer?)?
  private var tail = RecentSpeakers()
  private var indexes: [IndexKind: ByteBuffer] = [:]

  /// The attendees who are present after the newest processed event, excluding content shares.
  private var present: Set<String> = []
  private var bundle: (items: [PackedSessionEvents], presence: Bool, frames: ByteBuffer)?
  private var rosters: [(item: PackedSessionEvents, isFirst: Bool, frames: [ByteBuffer])] = []

  /// The maximum number of items whose frames this object stores.
  ///
  /// Most browsers receive an item in the turn of the event loop in which the item arrives. A
  /// browser that joins also receives the last few items.
  private static let mostRecent = 64

  /// The maximum number of payloads in one frame.
  private static let mostPayloads = 64

  /// The maximum number of INDEX frames that this object stores.
  private static let mostIndexes = 4

  /// The maximum number of roster entries in one frame.
  private static let mostEntries = 1_000

  /// The number of browsers that use these frames.
  var users = 0

  /// Returns the meeting's current levels; `nil` if the gateway has none yet.
  let board: () -> ParticipantLevels?

  /// Called when ``step()`` may have levels to send.
  private let onSpeech: () -> Void

  /// The fields of an INDEX other than its sources. Browsers whose INDEX has equal fields share a
  /// frame.
  private struct IndexKind: Hashable {
    let version: UInt64
    let participants: Int
    let mayPublish: Bool
  }

  /// - Parameters:
  ///   - board: Returns the meeting's current levels; `nil` if the gateway has none yet.
  ///   - onSpeech: Called when ``step()`` may have levels to send.
  ///   - now: Returns the time in milliseconds since 1970-01-01T00:00:00Z.
  init(
    board: @escaping () -> ParticipantLevels?, onSpeech: @escaping () -> Void,
    now: @escaping () -> UInt64
  ) { (self.board, self.onSpeech, self.now) = (board, onSpeech, now) }

  // MARK: Items

  /// Returns the translation of an item for browsers.
  func translation(of item: PackedSessionEvents) -> Translation {
    if let known = recent.last(where: { $0.item === item }) { return known.translation }
    // A service encoded this item, so decoding it cannot fail.
    let events = (try? V1.SessionEvents(packed: item.body)) ?? V1.SessionEvents()
    let translation = translate(events)
    if recent.count == Self.mostRecent { recent.removeFirst() }
    recent.append((item, translation))
    return translation
  }

  /// Returns the frames of some items in one buffer, shared by all browsers that receive these
  /// items.
  ///
  /// In most turns, most browsers receive the same items.
  ///
  /// - Parameter presence: Whether to include the changes of the roster.
  /// - Returns: One buffer of frames; `nil` if some browsers need different frames.
  func bundle(of items: [PackedSessionEvents], presence: Bool) -> ByteBuffer? {
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
        // While someone speaks, each call of `step()` sends all levels, so a change of the levels
        // waits for the next call.
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
      case .videoCodecsChanged(let change):
        if isNew { apply(change.codecs) }
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
        let isMeasured = metrics.availableReceiveBitsPerSecond > 0 || metrics.videoSend != nil
        if isMeasured { translation.metrics = metrics }
      case .capabilitiesChanged, .transcriptEvents, .transcriptSnapshot, .mediaMoved,
        .gatewaysChanged:
        break
      }
    }
    if !entries.isEmpty { translation.roster = rosterFrames(entries) }
    translation.messages += messageFrames(payloads, events.positions)
    return translation
  }

  /// Records the meeting's positions.
  ///
  /// - Returns: Whether the positions are newer than the recorded positions. Otherwise this object
  ///   has already processed the item with these positions.
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

  /// Returns whether an attendee is muted; `nil` until the attendee's client has reported whether
  /// the attendee is muted.
  private static func muted(_ isMuted: Bool, _ isUnknown: Bool) -> Bool? {
    isUnknown && !isMuted ? nil : isMuted
  }

  private func entry(of change: V1.MuteChange) -> Signaling.SdkAudioStreamIdInfo? {
    numbers.number(of: change.attendeeID).map {
      .init(audioStreamID: $0, muted: change.isMuted || change.isMutedByOperator)
    }
  }

  /// Returns the frames of the whole roster.
  ///
  /// For a browser that already has a roster, the frames also list the attendees who left.
  ///
  /// - Parameters:
  ///   - item: The last item that the frames include. Browsers with the same last item share the
  ///     frames.
  ///   - own: The receiver's entry; `nil` if the roster contains this entry.
  ///   - later: The changes since the snapshot. The frames include these changes, so an attendee
  ///     who left after the snapshot gets no number.
  func roster(
    _ snapshot: V1.RosterSnapshot, of item: PackedSessionEvents, with own: V1.RosterEntry?,
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

  /// Returns the current levels of all attendees who speak or have a bad link.
  func levels(_ board: ParticipantLevels) -> ByteBuffer? {
    if let levels, levels.edition == board.edition { return levels.frame }
    let frame = makeLevels(board.all(epoch: 0))
    levels = (board.edition, frame)
    return frame
  }

  /// Advances ``RecentSpeakers`` by one step.
  ///
  /// - Returns: The levels for all browsers; `nil` if no attendee has spoken within the last 44
  ///   steps.
  func step() -> ByteBuffer? {
    guard let board = board() else {
      tail = RecentSpeakers()
      return nil
    }
    let all = board.all(epoch: 0)
    let speakers = all.volumes.filter { $0.level.attenuation != nil }.map(\.attendeeID)
    tail.advance(speaking: Set(speakers))
    guard !tail.isOver else { return nil }
    let frame = makeLevels(all)
    levels = (board.edition, frame)
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
    // A client ignores a frame without volumes. So if all attendees are silent, the frame contains
    // one entry with silence.
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

  /// The volume of a silent attendee, in decibels below full scale. Clients treat a volume of 42 or
  /// more as silence.
  private static let silence: UInt32 = 127

  // MARK: Video

  private func apply(_ change: V1.VideoSourcesChanged) {
    for source in change.available { sources[source.tileID] = source }
    for source in change.unavailable { sources[source.tileID] = nil }
    sourcesVersion += 1
  }

  private func replaceSources(_ board: V1.TileBoardSnapshot) {
    if !board.codecs.isEmpty { apply(board.codecs) }
    let newest = Dictionary(board.sources.map { ($0.tileID, $0) }) { $1 }
    guard newest != sources else { return }
    sources = newest
    sourcesVersion += 1
  }

  /// Records the codecs that all receivers decode.
  private func apply(_ codecs: [V1.VideoCodec]) {
    guard codecs != self.codecs else { return }
    self.codecs = codecs
    sourcesVersion += 1
  }

  /// Returns the encoding whose number is `id`; `nil` if no other attendee sends this encoding.
  ///
  /// - Parameter owners: The receiver's own attendee ids.
  func stream(_ id: UInt32, for owners: Set<String>) -> NumberedVideoEncoding? {
    guard id != 0, let source = sources[NumberedVideoEncoding.tileID(of: id)],
      !owners.contains(source.owner)
    else { return nil }
    return NumberedVideoEncoding(source, layer: NumberedVideoEncoding.layer(of: id))
  }

  /// Returns an INDEX of the meeting's video sources, except the receiver's own sources.
  ///
  /// - Parameters:
  ///   - owners: The receiver's own attendee ids.
  ///   - isSeen: Whether the roster of this meeting contains the receiver.
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
        supportedReceiveCodecIntersection: codecs.compactMap(\.capability))
    }
    guard !own else { return frame }
    if indexes.count >= Self.mostIndexes { indexes = [:] }
    indexes[kind] = frame
    return frame
  }

  /// Returns the frame with the maximum bitrates of the other attendees' sources, the measured
  /// bitrates of the receiver's own streams, and the capacity of the receiver's downlink.
  ///
  /// If this frame does not list a stream, the client assumes that nobody sends the stream. So a
  /// client that sends video detects which of its own streams no longer reach the server.
  ///
  /// - Parameter metrics: The measurements of the receiver's link and of the receiver's own video.
  func bitrates(for owners: Set<String>, _ metrics: V1.MediaMetrics) -> ByteBuffer {
    let listed = sources.values.filter { !owners.contains($0.owner) }.sorted {
      $0.tileID < $1.tileID
    }
    let others = listed.flatMap(\.descriptors).map {
      Signaling.SdkBitrate(sourceStreamID: $0.streamID, avgBitrateBps: $0.avgBitrateBps)
    }
    let own = metrics.sentLayers.filter { $0.layer > 0 }.map {
      Signaling.SdkBitrate(
        sourceStreamID: NumberedVideoEncoding.id(of: $0.tileID, layer: Int($0.layer) - 1),
        avgBitrateBps: $0.bitsPerSecond)
    }
    let downlink = metrics.availableReceiveBitsPerSecond
    return frame(.bitrates) {
      $0.bitrates = .init(
        bitrates: others + own,
        serverAvailableOutgoingBitrate: downlink == 0 ? nil : max(downlink / 1_000, 1))
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

  /// Returns a frame with the current time as its timestamp.
  func frame(
    _ kind: Signaling.SdkSignalFrame.Kind, _ fill: (inout Signaling.SdkSignalFrame) -> Void
  ) -> ByteBuffer {
    var frame = Signaling.SdkSignalFrame(timestampMs: now(), type: kind)
    fill(&frame)
    return WebSocketServerFrame.binary(SignalCodec.message(frame))
  }
}

extension Array {
  /// Returns the elements in order, in arrays of at most `size` elements.
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

  /// The attendee's display name; `nil` if it is empty. Clients then show the external user id.
  fileprivate var ownName: String? { displayName.isEmpty ? nil : displayName }
}

extension V1.RosterSnapshot {
  /// The ids of the attendees in the roster, excluding content shares.
  fileprivate var attendees: [String] {
    entries.compactMap(\.attendee).filter { !$0.isContent }.map(\.attendeeID)
  }
}

extension V1.VolumeLevel {
  /// The volume in decibels below full scale; `nil` for silence. Browsers show the volumes `low`,
  /// `medium` and `high` as 0.25, 0.5 and 1.
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
  /// The impairment of the attendee's link; `nil` for a good link.
  fileprivate var impairment: UInt32? {
    switch self {
    case .none: 0
    case .low: 1
    case .unspecified, .high, .unrecognized: nil
    }
  }
}

extension V1.VideoSource {
  /// The source's encodings for browsers, all in one group.
  fileprivate var descriptors: [Signaling.SdkStreamDescriptor] {
    layers.enumerated().map { index, layer in
      .init(
        streamID: NumberedVideoEncoding.id(of: tileID, layer: index),
        framerate: layer.framesPerSecond,
        maxBitrateKbps: layer.bitsPerSecond / 1_000, groupID: tileID,
        avgBitrateBps: layer.bitsPerSecond, attendeeID: attendee?.attendeeID ?? "",
        mediaType: .video, externalUserID: attendee?.externalUserID ?? "",
        width: layer.width, height: layer.height, displayName: attendee?.ownName)
    }
  }
}

extension V1.VideoCodec {
  /// The name of the codec in an INDEX; `nil` for an unknown codec.
  fileprivate var capability: Signaling.SdkVideoCodecCapability? {
    switch self {
    case .vp8: .vp8
    case .h264: .h264ConstrainedBaselineProfile
    case .vp9: .vp9Profile0
    case .av1: .av1MainProfile
    case .unspecified, .unrecognized: nil
    }
  }
}
