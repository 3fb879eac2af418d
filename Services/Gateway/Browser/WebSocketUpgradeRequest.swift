import MeetingModel
import Storage

/// A client's request to upgrade its connection to a WebSocket.
struct WebSocketUpgradeRequest: Hashable, Sendable {
  /// The meeting in the path; `nil` if the path contains no valid id.
  let meeting: MeetingID?

  let token: JoinToken

  /// The WebSocket sub-protocol of the answer; `nil` for none.
  ///
  /// The answer never contains the token, because the answer may appear in logs.
  let chosenProtocol: String?

  /// The path prefix that all meetings share.
  static let path = "/control/"

  /// The marker that precedes a join token in the header that carries the token.
  static let marker = "_aws_wt_session"

  private static let longestToken = 2_048

  /// The reason why the gateway refuses a request.
  enum Refusal: Error, Hashable {
    case noSuchPath
    case noToken
    case foreignOrigin
  }

  /// - Parameters:
  ///   - target: The path and the query, as in the request line.
  ///   - headers: The headers with names in lower case.
  init(
    target: String, headers: [(name: String, value: String)], origins: OriginPolicy
  ) throws(Refusal) {
    func values(_ name: String) -> [String] {
      headers.filter { $0.name.lowercased() == name }.map(\.value)
    }
    let path = target.prefix { $0 != "?" }
    guard path.hasPrefix(Self.path), !path.dropFirst(Self.path.count).contains("/") else {
      throw .noSuchPath
    }
    meeting = try? MeetingID(String(path.dropFirst(Self.path.count)))
    let offered = values("sec-websocket-protocol").flatMap { value in
      value.split(separator: ",").map { Self.trimmed($0) }
    }
    let (origin, host) = (values("origin").first, values("host").first ?? "")
    if let place = offered.firstIndex(of: Self.marker), offered.count > place + 1 {
      guard origins.admits(origin, at: host) else { throw .foreignOrigin }
      chosenProtocol = Self.marker
      token = try Self.token(offered[place + 1])
    } else if let cookie = values("cookie").lazy.compactMap(Self.token(inCookies:)).first {
      // The gateway sets no cookies, so no page sends a cookie. A request with a cookie is from a
      // program. In a program's request, the `Origin` header may contain a host without a scheme.
      guard origins.admits(origin, at: host, orHostOnly: true) else { throw .foreignOrigin }
      chosenProtocol = offered.first { $0 == "Signaling-SDK" }
      token = try Self.token(cookie)
    } else {
      throw .noToken
    }
  }

  private static func token(_ text: String) throws(Refusal) -> JoinToken {
    guard !text.isEmpty, text.utf8.count <= longestToken else { throw .noToken }
    return JoinToken(text)
  }

  private static func token(inCookies value: String) -> String? {
    for cookie in value.split(separator: ";") {
      let parts = cookie.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, trimmed(parts[0]) == marker else { continue }
      return trimmed(parts[1])
    }
    return nil
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" }
    let end = start.lastIndex { $0 != " " && $0 != "\t" }
    return end.map { String(start[...$0]) } ?? ""
  }
}
