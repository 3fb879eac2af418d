/// The choice of the clients that send or receive sound and pictures in a load test.
///
/// The first clients speak and send camera video. These clients and a few others receive sound and
/// pictures. With more receivers, the load would measure this machine's decoders.
struct LoadMediaPlan: Hashable, Sendable {
  /// The number of clients that speak.
  var talkers = 0
  /// The number of clients that send camera video.
  var cameras = 0

  /// The number of clients that only hear and see.
  static let audience = 10

  /// The width of a camera's pictures, in pixels.
  static let width = 320

  /// The height of a camera's pictures, in pixels.
  static let height = 180

  /// The frame rate of a camera, in frames per second.
  static let framesPerSecond = 15

  func isTalking(_ client: Int) -> Bool { client < talkers }

  func isFilming(_ client: Int) -> Bool { client < cameras }

  /// Returns whether a client receives sound and pictures.
  func hasMedia(_ client: Int) -> Bool {
    let most = max(talkers, cameras)
    return most > 0 && client < most + Self.audience
  }

  /// Returns the number of talkers that a client hears, not counting the client itself.
  func heard(by client: Int) -> Int { talkers - (isTalking(client) ? 1 : 0) }

  /// Returns the number of cameras that a client sees, not counting its own camera.
  func seen(by client: Int) -> Int { cameras - (isFilming(client) ? 1 : 0) }
}
