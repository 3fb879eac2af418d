internal import Foundation
internal import ZeroMQ

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Finds the ZeroMQ endpoint that a meeting's URLs lead to.
enum EndpointLocator {
  /// The gateway's endpoint: the URL that names it, a signalling URL that is one itself, or what
  /// the host of the signalling URL answers to `GET /carillon/v1/endpoints`.
  ///
  /// - Parameter urlRewriter: Asked about what is answered; the URLs were rewritten before.
  /// - Throws: `LocatorError` when none of them leads anywhere, `ZeroMQError` when the rewriter
  ///   makes something else than an endpoint of one.
  static func endpoint(
    for start: SessionStart, urlRewriter: URLRewriter
  ) async throws -> Endpoint {
    for text in [start.gatewayUrl, start.signalingUrl].compactMap(\.self) {
      if text.hasPrefix("ipc://") || text.hasPrefix("tcp://") { return try Endpoint(text) }
    }
    guard let url = endpointsURL(at: start.signalingUrl) else {
      throw LocatorError.notAnAddress(start.signalingUrl)
    }
    let request = URLRequest(url: url, timeoutInterval: 5)
    let (data, response) = try await URLSession.shared.data(for: request)
    guard (response as? HTTPURLResponse)?.statusCode == 200,
      let answer = try? JSONDecoder().decode(Endpoints.self, from: data)
    else { throw LocatorError.noEndpoints(url.absoluteString) }
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

/// Why no endpoint was found.
enum LocatorError: Error, CustomStringConvertible {
  case notAnAddress(String)
  case noEndpoints(String)

  var description: String {
    switch self {
    case .notAnAddress(let text): "\"\(text)\" is neither a ws, http, ipc nor tcp address."
    case .noEndpoints(let url): "\(url) does not say where the gateway is."
    }
  }
}
