import AsyncHTTPClient
import Glibc
import MeetingModel
import NIOCore
import NIOHTTP1
import NIOPosix
import Signing
import Storage

/// The HTTP request that delivers one event to a receiver.
struct WebhookPost: Sendable {
  let url: String
  let headers: [RESTRequest.Header]
  let body: [UInt8]

  /// - Parameters:
  ///   - epoch: The epoch of the event's numbering.
  ///   - secret: The receiver's secret.
  ///   - now: The time in milliseconds since 1970-01-01T00:00:00Z.
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

/// The HTTP/1.1 client that sends events to receivers.
///
/// The client follows no redirects.
struct WebhookSender: Sendable {
  private let client: HTTPClient
  private let timeout: Duration

  /// - Parameter timeout: The maximum time from the request to the end of the answer.
  init(timeout: Duration) {
    self.timeout = timeout
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    configuration.timeout.connect = TimeAmount(min(timeout, .seconds(5)))
    configuration.httpVersion = .http1Only
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  /// Sends a request.
  ///
  /// - Returns: The status of the receiver's answer.
  /// - Throws: The error if there is no answer in time.
  @concurrent func send(_ post: WebhookPost) async throws -> Int {
    var request = HTTPClientRequest(url: post.url)
    request.method = .POST
    request.headers = HTTPHeaders(post.headers.map { ($0.name, $0.value) })
    request.body = .bytes(ByteBuffer(bytes: post.body))
    let response = try await client.execute(request, timeout: TimeAmount(timeout))
    // The client reads the body so that it can reuse the connection. No valid answer exceeds the
    // limit.
    _ = try? await response.body.collect(upTo: 65_536)
    return Int(response.status.code)
  }

  /// Returns the reason of a failed request as a few words for the operator.
  static func reason(for error: any Error) -> String {
    switch error {
    case let error as NIOConnectionError:
      guard let attempt = error.connectionErrors.last else {
        return "The host name \(error.host) has no address"
      }
      return reason(for: attempt.error)
    // The string belongs to strerror(3), so this code does not free the string.
    case let error as IOError: return unsafe String(cString: strerror(error.errnoCode))
    case let error as HTTPClientError: return error.shortDescription
    default: return "\(error)"
    }
  }

  @concurrent func close() async { try? await client.shutdown() }
}
