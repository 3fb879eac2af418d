internal import CarillonClient
internal import Foundation
internal import MeetingViews
internal import Output
internal import Synchronization

/// The video of `carillon join`: the camera that the command sends, and the tiles that it receives.
final class JoinVideo: Sendable {
  let session: DefaultMeetingSession
  private let options: JoinVideoOptions
  private let camera: (any VideoCaptureSource & Sendable)?
  private let directory: URL?
  private let tiles = Mutex([Int: JoinTile]())
  private let tell: @Sendable (OutputRecord) -> Void

  /// The size and the frame rate of the test pattern.
  private static let pattern = (width: 640, height: 360, framesPerSecond: 15)

  /// Creates a session without starting it.
  ///
  /// - Parameter tell: Called on any thread with each record to print.
  /// - Throws: ``CommandFailure`` if the camera's file or the directory of the recordings is not
  ///   usable.
  init(
    _ options: JoinVideoOptions, _ configuration: MeetingSessionConfiguration,
    tell: @escaping @Sendable (OutputRecord) -> Void
  ) throws(CommandFailure) {
    self.options = options
    self.tell = tell
    camera = try options.camera.map { name throws(CommandFailure) in try Self.camera(name) }
    directory = try options.recordH264.map { path throws(CommandFailure) in
      try Self.directory(path)
    }
    session = DefaultMeetingSession(
      configuration: configuration,
      logger: ConsoleLogger(name: configuration.credentials.externalUserId, level: .OFF),
      audio: MediaAudio())
    session.audioVideo.addVideoTileObserver(observer: self)
  }

  private static func camera(
    _ name: String
  ) throws(CommandFailure) -> any VideoCaptureSource & Sendable {
    guard name != "pattern" else {
      return TestPatternSource(
        width: pattern.width, height: pattern.height, framesPerSecond: pattern.framesPerSecond)
    }
    do {
      return try Y4MSource(contentsOf: URL(filePath: name))
    } catch {
      throw .invalid(
        "--camera cannot use \(name): \(error). Name a YUV4MPEG2 file, or say pattern.")
    }
  }

  private static func directory(_ path: String) throws(CommandFailure) -> URL {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      return URL(filePath: path, directoryHint: .isDirectory)
    } catch {
      throw .precondition("--record-h264 cannot create \(path): \(error)")
    }
  }

  /// Starts the video, after the session has started.
  func start() {
    if let camera {
      camera.start()
      session.audioVideo.startLocalVideo(source: camera)
    }
    if options.isReceiving { session.audioVideo.startRemoteVideo() }
  }

  /// Prints the tiles once a second until the task's cancellation.
  func report() async {
    while (try? await Task.sleep(for: .seconds(1))) != nil { tellTiles() }
  }

  /// Stops the camera. The caller calls this method after the session has ended and has removed all
  /// tiles.
  func stop() { camera?.stop() }

  private func tellTiles() {
    for tile in tiles.withLock({ tiles in tiles.sorted { $0.key < $1.key }.map(\.value) }) {
      tellPictures(of: tile)
    }
  }

  private func tellPictures(of tile: JoinTile) {
    let shown = tile.shown
    if options.view, shown.frames > 0 { tell(shown.record) }
  }

  /// Returns a new file for a tile. A tile that ends and begins again gets another file.
  private func file(_ attendeeID: String, _ tileID: Int) -> URL? {
    guard let directory else { return nil }
    let name = "\(attendeeID.replacing("/", with: "_"))-\(tileID)"
    let names = [name] + (2...).lazy.prefix(1_000).map { "\(name)-\($0)" }
    return names.map { directory.appending(path: $0 + ".h264") }
      .first { !FileManager.default.fileExists(atPath: $0.path) }
  }
}

extension JoinVideo: VideoTileObserver {
  func videoTileDidAdd(tileState: VideoTileState) {
    guard !tileState.isLocalTile else { return }
    let (tileID, attendeeID) = (tileState.tileId, tileState.attendeeId)
    let tile = JoinTile(
      ShownTile(tileID: tileID, attendeeID: attendeeID), recordingTo: file(attendeeID, tileID))
    tiles.withLock { $0[tileID] = tile }
    session.audioVideo.bindVideoView(videoView: tile, tileId: tileID)
    session.encodedVideo.addEncodedVideoSink(sink: tile, tileId: tileID)
  }

  func videoTileDidRemove(tileState: VideoTileState) {
    let tileID = tileState.tileId
    guard let tile = tiles.withLock({ $0.removeValue(forKey: tileID) }) else { return }
    session.encodedVideo.removeEncodedVideoSink(sink: tile, tileId: tileID)
    tellPictures(of: tile)
    if let record = tile.close() { tell(record) }
  }

  func videoTileDidPause(tileState: VideoTileState) {}
  func videoTileDidResume(tileState: VideoTileState) {}
  func videoTileSizeDidChange(tileState: VideoTileState) {}
}
