import MeetingModel
import OwnerTestSupport
import Ownership

@testable import VideoTiles

extension Person {
  /// Returns a session that receives all video and publishes these sources.
  func description(
    _ device: UInt8 = 0, publishing published: SourceDeclaration...,
    subscriptions: ReceiverVideoSubscriptions = .automatic, paused: Set<TileID> = [],
    isReceiving: Bool = true,
    decoding codecs: [VideoCodec] = [.vp8, .h264], capabilities: AttendeeCapabilities = .all,
    place: ActingMeeting = .primary
  ) -> AnnouncedSession {
    AnnouncedSession(
      id: session(device), identity: identity, capabilities: capabilities, place: place,
      choices: ClientVideoPreferences(
        published: published, subscriptions: subscriptions, pausedTiles: paused,
        isReceiving: isReceiving, decodableCodecs: VideoCodecSet(codecs)))
  }
}

extension TileID {
  static func numbered(_ number: UInt32) -> TileID {
    guard let tile = TileID(number) else { preconditionFailure("A tile's number is not 0.") }
    return tile
  }
}

extension AttendeeCapabilities {
  /// Capabilities to receive video but not to send it.
  static let watching = directions(.receive)

  /// Capabilities to send video but not to receive it.
  static let sending = directions(.send)

  private static func directions(_ direction: MediaDirection) -> AttendeeCapabilities {
    let directions = try? AttendeeCapabilities(
      audio: .sendReceive, video: direction, content: direction)
    guard let directions else { preconditionFailure("The fixture's capabilities are wrong.") }
    return directions
  }
}

extension SourceDeclaration {
  /// Returns a camera with layers of these bitrates, in kbit/s. The sizes are 320 x 180, 640 x 360
  /// and 1280 x 720, in this order.
  static func camera(
    _ kilobits: Int..., tile: TileID? = nil, track: SSRC? = nil
  ) -> SourceDeclaration {
    declared(.camera, kilobits, tile: tile, track: track)
  }

  /// Returns a screen with this bitrate, in kbit/s.
  static func content(_ kilobits: Int = 1_000, tile: TileID? = nil) -> SourceDeclaration {
    declared(.content, [kilobits], tile: tile)
  }

  static func declared(
    _ kind: VideoSourceKind, _ kilobits: [Int], tile: TileID? = nil, track: SSRC? = nil
  ) -> SourceDeclaration {
    let layers = kilobits.enumerated().map { index, rate in
      let scale = 1 << (kilobits.count == 1 ? 2 : index)
      return layer(width: 320 * scale, height: 180 * scale, kilobits: rate)
    }
    guard let source = try? SourceDeclaration(kind: kind, layers: layers, tile: tile, track: track)
    else { preconditionFailure("The fixture's layers are wrong.") }
    return source
  }

  static func layer(
    width: Int = 640, height: Int = 360, kilobits: Int = 600, codec: VideoCodec = .vp8,
    ssrc: UInt32 = 0
  ) -> SimulcastLayer {
    let layer = try? SimulcastLayer(
      ssrc: SSRC(ssrc), size: FrameSize(width: width, height: height), framesPerSecond: 15,
      bitrate: .kilobits(kilobits), codec: codec)
    guard let layer else { preconditionFailure("The fixture's layer is wrong.") }
    return layer
  }
}

extension TileBoard {
  static func settled(
    _ clock: Clock, _ rules: VideoTilesRules = VideoTilesRules(), term: UInt64 = 1
  ) -> TileBoard {
    TileBoard(rules: rules, isRecovering: false, term: term, seed: 1, at: clock[.zero])
  }

  static func recovering(
    _ clock: Clock, _ rules: VideoTilesRules = VideoTilesRules(), term: UInt64 = 2
  ) -> TileBoard {
    TileBoard(rules: rules, isRecovering: true, term: term, seed: 2, at: clock[.zero])
  }

  /// Makes the session join through gateway a, and returns the effects.
  @discardableResult
  mutating func join(
    _ session: AnnouncedSession, _ clock: Clock, through gateway: GatewayName = .a,
    as arrival: SessionArrival = .start, after elapsed: Duration = .zero
  ) throws(VideoTilesError) -> [TileEffect] {
    try join(session, through: gateway, as: arrival, at: clock[elapsed])
  }

  /// Publishes a source, and returns the source's tile.
  @discardableResult
  mutating func publish(
    _ declaration: SourceDeclaration, by person: Person
  ) throws(VideoTilesError) -> TileID {
    try publish(declaration, from: person.session()).source.tile
  }

  /// Sets the capacity of a person's link.
  @discardableResult
  mutating func setLink(
    of person: Person, to kilobits: Int, at moment: ContinuousClock.Instant
  ) -> [TileEffect] {
    reportDownlink(
      [DownlinkReport(session: person.session(), estimate: .kilobits(kilobits))], at: moment)
  }

  @discardableResult
  mutating func subscribe(
    _ person: Person, to wanted: [Person: VideoPriority], removing removed: [Person] = []
  ) throws(VideoTilesError) -> [TileEffect] {
    var added: [ParticipantID: ReceiverVideoSubscription] = [:]
    for (publisher, priority) in wanted {
      added[publisher.participant] = ReceiverVideoSubscription(priority: priority)
    }
    return try updateSubscriptions(
      of: person.session(), adding: added, removing: removed.map(\.participant))
  }

  /// Returns the layers that a person gets, by publisher. The result omits publishers without a
  /// tile.
  func layers(of person: Person) -> [ParticipantID: Int] {
    let tiles = tiles(of: [person.participant]).flatMap(\.tiles)
    return Dictionary(uniqueKeysWithValues: tiles.map { ($0.publisher, $0.layer) })
  }

  /// Returns the reason for the decision that forwards a publisher's source to a person.
  func reason(_ person: Person, gets publisher: Person) -> ForwardingReason? {
    boardSources.first { $0.publisher == publisher.participant }
      .flatMap { sessions[person.session()]?.decision(about: $0.tile)?.reason }
  }
}

extension [TileEffect] {
  /// The numbered events.
  var events: [TileEvent] {
    compactMap { if case .publish(let event, _) = $0 { event } else { nil } }
  }

  /// Returns the numbered events that this person sees.
  func events(for person: Person) -> [TileEvent] {
    compactMap { effect in
      guard case .publish(let event, let audience) = effect,
        audience.isEmpty || audience.contains(person.participant)
      else { return nil }
      return event
    }
  }

  /// The change for the service that forwards media.
  var forwarding: ForwardingChange? {
    compactMap { if case .forward(let change) = $0 { change } else { nil } }.first
  }
}
