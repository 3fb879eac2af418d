/// The origins whose pages may show the meeting page in a frame, from the option
/// `--web-embed-origins`.
struct EmbedOrigins: Hashable, Sendable {
  /// The origins in the form that browsers send, in the order of the option, without repeats.
  let list: [String]

  /// The maximum number of origins. All origins together must fit into one header.
  static let most = 32

  /// Reads origins separated by commas. Returns `nil` if an entry is no origin, if an origin has
  /// neither `https` nor a loopback host, or if there are too many origins.
  ///
  /// If a browser loaded a page over `http` from another machine, anybody on the network could
  /// change this page. Browsers also deny such a page the microphone.
  init?(_ text: String) {
    var list: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let origin = Self.origin(part.filter { $0 != " " }) else { return nil }
      if !list.contains(origin) { list.append(origin) }
    }
    guard list.count <= Self.most else { return nil }
    self.list = list
  }

  private static func origin(_ text: String) -> String? {
    guard !text.hasSuffix("/"), let url = PublicURL(text.lowercased()) else { return nil }
    let host = url.host.hasPrefix("[") ? String(url.host.dropFirst().dropLast()) : url.host
    guard url.isSecure || RESTSettings.isLoopback(host) else { return nil }
    // Browsers leave out the default port of the scheme.
    let port = url.isSecure ? ":443" : ":80"
    return url.text.hasSuffix(port) ? String(url.text.dropLast(port.count)) : url.text
  }
}
