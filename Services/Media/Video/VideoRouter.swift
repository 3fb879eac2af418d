import RTP

/// The video forwarding of one meeting: receives the packets of publishers, and sends each receiver
/// the layers that the decisions assign to the receiver.
///
/// The router is a value without a clock, socket or lock. Only the links of the receivers are
/// objects. Each link belongs to a session. The caller sets sources, publishers and the decisions
/// for receivers. Before the first of these calls, the router forwards nothing. A closure sends the
/// packets to receivers and publishers. The bytes are valid only during the call of the closure.
/// Once the router has allocated its buffers, a packet causes no allocation.
struct VideoRouter {
  /// A closure that sends one packet to a session.
  typealias Send = (SessionSlot, Span<UInt8>) -> Void

  let rules: VideoForwardingParameters
  var counters = VideoCounters()

  /// The sources. `freeSources` lists the indices of ended sources.
  var sources: [RoutedSource] = []
  private var freeSources: [Int] = []
  var placeOfTile: [UInt32: Int] = [:]

  /// The layers by the SSRCs of their publishers' packets.
  var layerOfSSRC: [UInt32: LayerPlace] = [:]

  var forwarders: [LayerForwarder] = []
  private var freeForwarders: [Int] = []

  /// Whether at least one receiver gets a layer.
  var isForwarding: Bool { forwarders.count > freeForwarders.count }

  /// The receivers, at the indices of their keys.
  var receivers: [VideoReceivingSession?] = []

  /// The links of the receivers, at the indices of their keys. Audio uses the same links.
  ///
  /// The router needs the links for each packet. If ``receivers`` contained them, to read a link
  /// would copy the receiver's whole state.
  private(set) var links: [ReceiverLink?] = []

  /// The counts of each session, by the session's key.
  private var sessionCounts: [SessionSlot: SessionVideoPacketCounts] = [:]

  /// The packets that arrived before the decision that admits them.
  var early: EarlyVideo

  /// The buffer for the packet that the router rewrites for one receiver after another.
  var outgoing: [UInt8] = []

  /// The parameter sets to send before a packet.
  var leading: [UInt8] = []

  /// The buffer for retransmissions, padding and packets that have waited.
  var repeated: [UInt8] = []
  var control = RTCPWriter()
  var numbers: [SequenceNumber] = []
  var blocks: [ReportBlock] = []
  var reportedAt: MonotonicTime?

  /// The time of day at the origin of ``MonotonicTime``, in microseconds since 1970.
  let epoch: UInt64

  struct LayerPlace: Hashable, Sendable {
    var source: Int

    /// The number of the layer, from 1.
    var layer: Int
  }

  init(_ rules: VideoForwardingParameters = VideoForwardingParameters(), epoch: UInt64 = 0) {
    self.rules = rules
    self.epoch = epoch
    early = EarlyVideo(rules.early)
    outgoing.reserveCapacity(rules.maximumPacketBytes)
    repeated.reserveCapacity(rules.maximumPacketBytes)
  }

  func wallTime(at now: MonotonicTime) -> NTPTime {
    NTPTime(microsecondsSince1970: epoch &+ UInt64(max(0, now.microseconds)))
  }

  // MARK: Counts

  /// Returns the counts of a session.
  func counts(of session: SessionSlot) -> SessionVideoPacketCounts {
    sessionCounts[session] ?? SessionVideoPacketCounts()
  }

  mutating func count(
    _ kind: WritableKeyPath<SessionVideoPacketCounts, Int>, of session: SessionSlot
  ) {
    sessionCounts[session, default: SessionVideoPacketCounts()][keyPath: kind] += 1
  }

  // MARK: Sources

  /// Adds or changes a source.
  ///
  /// Unchanged layers continue, and changed layers wait for a key frame. The decisions for
  /// receivers remain valid, even after a change of codec.
  mutating func put(_ source: VideoSourceDescription) {
    guard let place = placeOfTile[source.tile] else { return add(source) }
    let before = sources[place].description
    guard before != source else { return }
    forgetLayers(of: place)
    let old = sources[place].layers
    sources[place].description = source
    sources[place].awaitedSince = nil
    sources[place].requestPace.forgetSent()
    sources[place].layers = source.layerSSRCs.enumerated().map { index, ssrc in
      let isKept = index < old.count && old[index].ssrc == ssrc && before.codec == source.codec
      return isKept ? old[index] : SourceLayer(ssrc: ssrc, layer: index + 1, rules)
    }
    noteLayers(of: place)
    if before.codec != source.codec || before.trackSSRC != source.trackSSRC {
      restartForwarders(of: place)
    } else {
      restartLayers(of: place, unlike: old)
    }
  }

  /// Restarts the forwarders of a source whose codec or track has changed.
  private mutating func restartForwarders(of place: Int) {
    let track = sources[place].description.trackSSRC
    for index in sources[place].forwarders {
      leaveOutWaiting(of: index)
      if forwarders[index].ssrc == track {
        forwarders[index].restartAll()
      } else {
        remember(index)
        let receiver = forwarders[index].receiver.index
        let position = receivers[receiver]?.former.take(track)
        forwarders[index] = forwarders[index].moved(to: track, after: position)
      }
    }
  }

  private mutating func restartLayers(of place: Int, unlike old: [SourceLayer]) {
    let layers = sources[place].layers
    for index in 0..<max(old.count, layers.count) {
      let isSame = index < min(old.count, layers.count) && old[index].ssrc == layers[index].ssrc
      guard !isSame else { continue }
      for forwarder in sources[place].forwarders { forwarders[forwarder].restart(index + 1) }
    }
  }

  private mutating func add(_ source: VideoSourceDescription) {
    let layers = source.layerSSRCs.enumerated().map { index, ssrc in
      SourceLayer(ssrc: ssrc, layer: index + 1, rules)
    }
    let routed = RoutedSource(description: source, layers: layers)
    let place = freeSources.popLast() ?? sources.count
    if place == sources.count { sources.append(routed) } else { sources[place] = routed }
    placeOfTile[source.tile] = place
    noteLayers(of: place)
  }

  private mutating func noteLayers(of place: Int) {
    for layer in sources[place].layers where layer.ssrc != 0 {
      layerOfSSRC[layer.ssrc] = LayerPlace(source: place, layer: layer.layer)
    }
  }

  private mutating func forgetLayers(of place: Int) {
    for layer in sources[place].layers where layerOfSSRC[layer.ssrc]?.source == place {
      layerOfSSRC[layer.ssrc] = nil
    }
  }

  /// Ends a source. Does nothing for an unknown source.
  mutating func end(tile: UInt32) {
    guard let place = placeOfTile.removeValue(forKey: tile) else { return }
    forgetLayers(of: place)
    for forwarder in sources[place].forwarders { remove(forwarder: forwarder, keepingSource: true) }
    sources[place].forwarders = []
    sources[place].layers = []
    sources[place].publisher = nil
    freeSources.append(place)
  }

  /// Returns the SSRC of a source's packets to receivers; `nil` for an unknown source.
  func track(of tile: UInt32) -> UInt32? {
    placeOfTile[tile].map { sources[$0].description.trackSSRC }
  }

  /// Sets the only session whose packets for a source are valid; `nil` for none.
  ///
  /// - Parameter ignoresEarlyRequests: Whether the session ignores early key frame requests (see
  ///   ``PacketLink/ignoresEarlyKeyFrameRequests``).
  mutating func setPublisher(
    _ session: SessionSlot?, of tile: UInt32, ignoresEarlyRequests: Bool = false
  ) {
    guard let place = placeOfTile[tile] else { return }
    sources[place].requestPace.ignoresEarlyRequests = ignoresEarlyRequests
    guard sources[place].publisher != session else { return }
    sources[place].publisher = session
    forgetRequests(for: place)
  }

  /// Sends the pending key frame requests to a session again with the next ``tick(at:send:)``,
  /// because the session has a new connection.
  mutating func repeatRequests(to session: SessionSlot) {
    for place in sources.indices where sources[place].publisher == session {
      forgetRequests(for: place)
    }
  }

  private mutating func forgetRequests(for place: Int) {
    sources[place].requestPace.forgetSent()
    for layer in sources[place].layers.indices {
      sources[place].layers[layer].requests.forgetSent()
    }
  }

  // MARK: Receivers

  /// Sets all decisions for a receiver.
  ///
  /// The receiver gets only the sources in `decisions`. The decisions apply from the next packet
  /// on. The router ignores decisions for unknown sources.
  ///
  /// - Parameters:
  ///   - link: The link of the receiver, the same in each call.
  ///   - send: Sends the pending key frame requests that are due, unless packets wait in ``early``.
  mutating func decide(
    _ decisions: [ForwardingDecision], for receiver: SessionSlot, over link: ReceiverLink,
    at now: MonotonicTime, send: Send
  ) {
    while receivers.count <= receiver.index {
      receivers.append(nil)
      links.append(nil)
    }
    if receivers[receiver.index] == nil {
      receivers[receiver.index] = VideoReceivingSession(paddingSSRC: Self.paddingSSRC(of: receiver))
      links[receiver.index] = link
    }
    for forwarder in receivers[receiver.index]?.forwarders ?? [] {
      let tile = sources[forwarders[forwarder].source].description.tile
      guard !decisions.contains(where: { $0.tile == tile }) else { continue }
      remove(forwarder: forwarder)
    }
    for decision in decisions {
      guard let place = placeOfTile[decision.tile] else { continue }
      apply(decision, to: place, for: receiver, at: now)
      // If `early` contains packets, a key frame may be among them. If none of these packets
      // belongs to a key frame, the next tick requests a key frame.
      if early.isEmpty { requestKeyFrames(of: place, at: now, send: send) }
    }
  }

  private mutating func apply(
    _ decision: ForwardingDecision, to place: Int, for receiver: SessionSlot, at now: MonotonicTime
  ) {
    let known = receivers[receiver.index]?.forwarders.first { forwarders[$0].source == place }
    let index = known ?? add(forwarderOf: place, for: receiver)
    let isThere = (1...max(sources[place].layers.count, 1)).contains(decision.layer)
    if !isThere { leaveOutWaiting(of: index) }
    forwarders[index].want(isThere ? decision.layer : 0, decision, at: now)
  }

  /// Drops the waiting packets of a forwarder.
  private mutating func leaveOutWaiting(of index: Int) {
    let receiver = forwarders[index].receiver.index
    _ = receivers[receiver]?.waiting.removeAll(of: index, butOf: nil)
  }

  /// Returns the SSRC of a receiver's padding stream.
  ///
  /// The SSRCs of other streams are random, so another stream very rarely has the same SSRC.
  private static func paddingSSRC(of receiver: SessionSlot) -> UInt32 {
    (UInt32(truncatingIfNeeded: receiver.index) &+ 1) &* 2_654_435_761
  }

  private mutating func add(forwarderOf place: Int, for receiver: SessionSlot) -> Int {
    let track = sources[place].description.trackSSRC
    let forwarder = LayerForwarder(
      receiver: receiver, source: place, ssrc: track,
      after: receivers[receiver.index]?.former.take(track))
    let index = freeForwarders.popLast() ?? forwarders.count
    if index == forwarders.count {
      forwarders.append(forwarder)
    } else {
      forwarders[index] = forwarder
    }
    sources[place].forwarders.append(index)
    receivers[receiver.index]?.forwarders.append(index)
    return index
  }

  /// Stores the position of a track that the receiver no longer gets.
  private mutating func remember(_ index: Int) {
    let forwarder = forwarders[index]
    receivers[forwarder.receiver.index]?.former.note(forwarder.position, of: forwarder.ssrc)
  }

  private mutating func remove(forwarder index: Int, keepingSource: Bool = false) {
    let (receiver, source) = (forwarders[index].receiver, forwarders[index].source)
    leaveOutWaiting(of: index)
    forwarders[index].want(0, nil, at: MonotonicTime(microseconds: 0))
    remember(index)
    receivers[receiver.index]?.forwarders.removeAll { $0 == index }
    if !keepingSource { sources[source].forwarders.removeAll { $0 == index } }
    freeForwarders.append(index)
  }

  /// Removes a session. Afterwards, the session gets nothing, and its packets are invalid.
  mutating func remove(_ session: SessionSlot) {
    for place in sources.indices where sources[place].publisher == session {
      sources[place].publisher = nil
    }
    // Another session may get the same key later, so the router must keep nothing of this session.
    _ = early.drop(from: session)
    sessionCounts[session] = nil
    guard receivers.indices.contains(session.index) else { return }
    for forwarder in receivers[session.index]?.forwarders ?? [] { remove(forwarder: forwarder) }
    receivers[session.index] = nil
    links[session.index] = nil
  }
}
