import CarillonClient
import TestSupport
import Trials

/// A meeting whose clients connect through a ``LinkProxy``.
///
/// The first publisher speaks and sends three simulcast layers, and the receivers pin this
/// publisher's tile. Three other publishers send one layer each. There are one or two receivers.
struct AdaptiveMeeting: Sendable {
  let publishers: [TrialParticipant]
  let receivers: [TrialParticipant]

  /// The tile ids in the order of the publishers. The first tile is pinned.
  let tiles: [Int]
  let proxy: LinkProxy

  /// The numbers of the connections through the proxy, in the order of the participants.
  let publisherConnections: [Int]
  let receiverConnections: [Int]

  /// The maximum bitrates of the pinned camera's largest layer, and of every camera that is not
  /// pinned, in kbit/s. A receiver adds video in steps of these bitrates, so the receiver does not
  /// use remaining bandwidth that is smaller than a step.
  static let pinnedKbps = 1_000
  static let minorKbps = 120

  /// The bitrate of all layers of the pinned camera together, in kbit/s.
  static let publishedKbps = 1_650.0

  /// The width of the pinned camera's largest layer, in pixels.
  static let topWidth = 320
  static let framesPerSecond = 15.0

  /// The bitrate of all video that a receiver subscribes to, in kbit/s.
  static let wantedKbps = Double(pinnedKbps + 3 * minorKbps)

  /// Runs `body` when all receivers show every publisher in full size.
  static func run<Result: Sendable>(
    receivers count: Int, _ body: (AdaptiveMeeting) async throws -> Result
  ) async throws -> Result {
    var result: Result?
    let proxy = try LinkProxy()
    defer { proxy.close() }
    let options = Installation.Options(mediaFlags: ["--public-media", "127.0.0.1:\(proxy.port)"])
    try await Installation.run(options) { installation in
      proxy.lead(to: installation.mediaPath("media"))
      result = try await join(installation, proxy, count, body)
    }
    guard let result else { throw TimeoutError("a meeting", after: .zero, heard: "nothing") }
    return result
  }

  private static func join<Result>(
    _ installation: Installation, _ proxy: LinkProxy, _ count: Int,
    _ body: (AdaptiveMeeting) async throws -> Result
  ) async throws -> Result {
    let record = try await installation.createMeeting()
    let names = ["pinned", "second", "third", "fourth"] + (0..<count).map { "receiver-\($0)" }
    var participants: [TrialParticipant] = []
    for name in names {
      let participant = try await TrialParticipant(
        name, isSpeaking: name == "pinned", in: installation, record)
      participants.append(participant)
      try await participant.join()
      let joined = participants.count
      try await eventually("the connection of \(name)") { proxy.connectionCount == joined }
    }
    let (publishers, receivers) = (Array(participants[..<4]), Array(participants[4...]))
    let cameras = film(publishers)
    defer { for camera in cameras { camera.stop() } }
    for receiver in receivers { receiver.audioVideo.startRemoteVideo() }
    // The cameras start one after the other, so that the test knows the order of the tiles.
    var tiles: [Int] = []
    for (index, publisher) in publishers.enumerated() {
      publisher.show(cameras[index], isPinned: index == 0)
      tiles = try await receivers[0].tiles.wait(for: "tile \(index)", within: .seconds(30)) {
        $0.count > index
      }
    }
    for receiver in receivers { receiver.pin(publishers[0], before: publishers[1...]) }
    for receiver in receivers {
      try await receiver.sees(tiles[0], width: topWidth)
      for tile in tiles[1...] { try await receiver.sees(tile) }
    }
    let meeting = AdaptiveMeeting(
      publishers: publishers, receivers: receivers, tiles: tiles, proxy: proxy,
      publisherConnections: [0, 1, 2, 3], receiverConnections: (0..<count).map { 4 + $0 })
    let result = try await body(meeting)
    for participant in participants { try await participant.leave() }
    return result
  }

  /// Starts the cameras of publishers. The first camera is the pinned camera.
  static func film(_ publishers: [TrialParticipant]) -> [NoisyCamera] {
    let large = NoisyPictures(width: topWidth, height: 180, count: 8)
    let small = NoisyPictures(width: 160, height: 90, count: 8)
    let cameras = publishers.indices.map { NoisyCamera($0 == 0 ? large : small) }
    for camera in cameras { camera.start() }
    return cameras
  }
}

extension TrialParticipant {
  /// Sends a camera: the pinned camera in three layers, another camera in one layer.
  func show(_ camera: NoisyCamera, isPinned: Bool) {
    let kilobits = isPinned ? AdaptiveMeeting.pinnedKbps : AdaptiveMeeting.minorKbps
    audioVideo.startLocalVideo(
      source: camera,
      config: LocalVideoConfiguration(
        maxBitRateKbps: UInt32(kilobits), simulcastEnabled: isPinned))
  }

  /// Assigns the highest priority to one video, and the lowest priority to the other videos.
  fileprivate func pin(_ pinned: TrialParticipant, before others: ArraySlice<TrialParticipant>) {
    let wishes = [(pinned, VideoPriority.highest)] + others.map { ($0, .lowest) }
    var subscriptions: [RemoteVideoSource: VideoSubscriptionConfiguration] = [:]
    for (participant, priority) in wishes {
      let source = RemoteVideoSource()
      source.attendeeId = participant.attendeeID
      let configuration = VideoSubscriptionConfiguration()
      configuration.priority = priority
      subscriptions[source] = configuration
    }
    audioVideo.updateVideoSourceSubscriptions(addedOrUpdated: subscriptions, removed: [])
  }
}
