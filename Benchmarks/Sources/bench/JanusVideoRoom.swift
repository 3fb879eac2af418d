/// The VideoRoom of a separate Janus, with one publisher and its subscribers.
struct JanusVideoRoom: Sendable {
  private let server: JanusServer

  /// A publisher, and the server's answer.
  struct Publication: Sendable {
    fileprivate let handle: JanusServer.Handle
    fileprivate let feed: Int
    let answer: String
  }

  /// A subscription to a publisher, and the server's offer.
  struct Subscription: Sendable {
    fileprivate let handle: JanusServer.Handle
    let offer: String
  }

  init(_ server: JanusServer) { self.server = server }

  /// Publishes the media of an offer.
  func publish(_ offer: String) async throws -> Publication {
    let handle = try await server.attach(.videoRoom)
    let event = try await server.request(
      #"{"request": "joinandconfigure", "room": 1, "ptype": "publisher"}"#,
      .init(type: "offer", sdp: offer), by: handle)
    guard let feed = event.plugindata?.data.id, let answer = event.jsep else {
      throw BenchError.missing("An answer of Janus")
    }
    return Publication(handle: handle, feed: feed, answer: answer.sdp)
  }

  /// Waits until the publisher is connected. Before, Janus refuses subscriptions: "No such feed".
  func waitUntilConnected(_ publication: Publication) async throws {
    try await server.waitUntilConnected(publication.handle)
  }

  /// Subscribes to a publisher.
  func subscribe(to publication: Publication) async throws -> Subscription {
    let handle = try await server.attach(.videoRoom)
    let streams = #"[{"feed": \#(publication.feed)}]"#
    let event = try await server.request(
      #"{"request": "join", "room": 1, "ptype": "subscriber", "streams": \#(streams)}"#, by: handle)
    guard let offer = event.jsep else { throw BenchError.missing("An offer of Janus") }
    return Subscription(handle: handle, offer: offer.sdp)
  }

  /// Starts a subscription with the subscriber's answer.
  func start(_ subscription: Subscription, _ answer: String) async throws {
    _ = try await server.request(
      #"{"request": "start"}"#, .init(type: "answer", sdp: answer), by: subscription.handle)
  }
}
