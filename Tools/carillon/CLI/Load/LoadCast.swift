/// Who of the clients of a load has sound and pictures: the first ones speak and show a camera, and
/// those and a few more hear and see. More would measure this machine's decoders.
struct LoadCast: Hashable, Sendable {
  /// How many speak.
  var talkers = 0
  /// How many show a camera.
  var cameras = 0

  /// How many hear and see who do neither.
  static let audience = 10

  /// What a camera films.
  static let width = 320
  static let height = 180
  static let framesPerSecond = 15

  func isTalking(_ client: Int) -> Bool { client < talkers }

  func isFilming(_ client: Int) -> Bool { client < cameras }

  /// Whether a client hears and sees.
  func hasMedia(_ client: Int) -> Bool {
    let most = max(talkers, cameras)
    return most > 0 && client < most + Self.audience
  }

  /// How many of the talkers a client hears: nobody hears itself.
  func heard(by client: Int) -> Int { talkers - (isTalking(client) ? 1 : 0) }

  /// How many of the cameras a client sees beside its own.
  func seen(by client: Int) -> Int { cameras - (isFilming(client) ? 1 : 0) }
}
