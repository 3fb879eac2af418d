internal import Foundation
internal import ZeroMQ

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Finds the ZeroMQ endpoint of a meeting's gateway from the meeting's URLs.
enum EndpointLocator {
  /// Returns the gateway's endpoint. The sources are, in this order, the gateway URL, the signaling
  /// URL, and the answer of the signaling URL's host to `GET /carillon/v1/endpoints`. The method
  /// uses the first source that contains an endpoint.
  ///
  /// - Parameter urlRewriter: Rewrites the address in the answer. The configuration has already
  ///   rewritten the other URLs.
  /// - Throws: `EndpointLocatorError` when no URL yields an endpoint, `URLError` when the host does
  ///   not answer, `ZeroMQError` when an address or the rewriter's result is not an endpoint.
  static func endpoint(
    for start: SessionStartParameters, urlRewriter: URLRewriter
  ) async throws -> Endpoint {
    for text in [start.gatewayUrl, start.signalingUrl].compactMap(\.self) {
      if text.hasPrefix("ipc://") || text.hasPrefix("tcp://") { return try Endpoint(text) }
    }
    guard let url = endpointsURL(at: start.signalingUrl) else {
      throw EndpointLocatorError.notAnAddress(start.signalingUrl)
    }
    let request = URLRequest(url: url, timeoutInterval: 5)
    let (data, response) = try await URLSession.shared.data(for: request)
    guard (response as? HTTPURLResponse)?.statusCode == 200,
      let answer = try? JSONDecoder().decode(Endpoints.self, from: data)
    else { throw EndpointLocatorError.noEndpoints(url.absoluteString) }
    return try Endpoint(urlRewriter(answer.gatewayURL))
  }

  private static func endpointsURL(at signalingUrl: String) -> URL? {
    guard var parts = URLComponents(string: signalingUrl), parts.host != nil else { return nil }
    switch parts.scheme {
    case "ws", "http": parts.scheme = "http"
    case "wss", "https": parts.scheme = "https"
    default: return nil
    }
    parts.path = "/carillon/v1/endpoints"
    parts.query = nil
    return parts.url
  }

  private struct Endpoints: Decodable {
    let gatewayURL: String

    enum CodingKeys: String, CodingKey {
      case gatewayURL = "GatewayUrl"
    }
  }
}

/// The reasons why the locator found no endpoint.
enum EndpointLocatorError: Error, CustomStringConvertible {
  case notAnAddress(String)
  case noEndpoints(String)

  var description: String {
    switch self {
    case .notAnAddress(let text): "\"\(text)\" is neither a ws, http, ipc nor tcp address."
    case .noEndpoints(let url): "\(url) does not say where the gateway is."
    }
  }
}
