/// The VideoRoom of a separate Janus, with one publisher and its subscribers.
struct JanusVideoRoom: Sendable {
  private let server: JanusServer

  /// A subscription to a publisher, and the server's offer.
  struct Subscription: Sendable {
    fileprivate let handle: JanusServer.Handle
    let offer: String
  }

  init(_ server: JanusServer) { self.server = server }

  /// Publishes the media of an offer.
  ///
  /// - Returns: The number of the publisher, and the server's answer.
  func publish(_ offer: String) async throws -> (feed: Int, answer: String) {
    let handle = try await server.attach(.videoRoom)
    let event = try await server.request(
      #"{"request": "joinandconfigure", "room": 1, "ptype": "publisher"}"#,
      .init(type: "offer", sdp: offer), by: handle)
    guard let feed = event.plugindata?.data.id, let answer = event.jsep else {
      throw BenchError.missing("An answer of Janus")
    }
    return (feed, answer.sdp)
  }

  /// Subscribes to a publisher.
  func subscribe(to feed: Int) async throws -> Subscription {
    let handle = try await server.attach(.videoRoom)
    let streams = #"[{"feed": \#(feed)}]"#
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
