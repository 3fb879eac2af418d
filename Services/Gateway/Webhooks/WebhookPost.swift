import AsyncHTTPClient
import MeetingModel
import NIOCore
import NIOHTTP1
import Signing
import Storage

/// What a receiver is sent of one event.
struct WebhookPost: Sendable {
  let url: String
  let headers: [RESTRequest.Header]
  let body: [UInt8]

  /// - Parameters:
  ///   - epoch: The numbering of the event.
  ///   - secret: The receiver's.
  ///   - now: Milliseconds since 1970-01-01T00:00:00Z.
  init(_ delivery: WebhookDelivery, epoch: Int64, secret: [UInt8], at now: Int64) {
    url = delivery.url
    body = Array(JSONValue(delivery.event, epoch: epoch).text.utf8)
    let id = delivery.event.id
    let seconds = now / 1_000
    headers = [
      .init(name: "Content-Type", value: "application/json"),
      .init(name: "webhook-id", value: id),
      .init(name: "webhook-timestamp", value: "\(seconds)"),
      .init(
        name: "webhook-signature",
        value: WebhookSignature.text(id: id, seconds: seconds, body: body, secret: secret)),
      .init(name: "carillon-dropped", value: "\(delivery.dropped)"),
    ]
  }
}

/// Posts to receivers over HTTP/1.1, and follows nobody anywhere else.
struct WebhookSender: Sendable {
  private let client: HTTPClient
  private let timeout: Duration

  /// - Parameter timeout: From the beginning to the end of the answer.
  init(timeout: Duration) {
    self.timeout = timeout
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    configuration.timeout.connect = TimeAmount(min(timeout, .seconds(5)))
    configuration.httpVersion = .http1Only
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  /// - Returns: The status that the receiver answered.
  /// - Throws: What kept it from answering in time.
  @concurrent func send(_ post: WebhookPost) async throws -> Int {
    var request = HTTPClientRequest(url: post.url)
    request.method = .POST
    request.headers = HTTPHeaders(post.headers.map { ($0.name, $0.value) })
    request.body = .bytes(ByteBuffer(bytes: post.body))
    let response = try await client.execute(request, timeout: TimeAmount(timeout))
    // Read so that the connection can be used again, and no further than any answer should go.
    _ = try? await response.body.collect(upTo: 65_536)
    return Int(response.status.code)
  }

  @concurrent func close() async { try? await client.shutdown() }
}
