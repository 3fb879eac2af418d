/// The operator's name, logo, colors and legal links for the pages, from `--web-branding`.
///
/// Everything in this value is public: the gateway sends it to all visitors.
struct Branding: Hashable, Sendable {
  /// A picture that the pages show in place of Carillon's bell.
  struct Logo: Hashable, Sendable {
    /// The address of the picture, `/logo.svg` or `/logo.png`.
    let path: String
    let bytes: [UInt8]
  }

  /// A link below the form of the lobby, for example to an imprint.
  struct Link: Hashable, Sendable {
    let text: String
    let url: String
  }

  var name: String?
  var logo: Logo?
  var light = BrandColors()
  var dark = BrandColors()
  var links: [Link] = []

  /// Returns the page's files with the branding. The addresses of the files stay the same, and
  /// browsers need the same number of requests for the lobby's form.
  func applied(to sources: [String: [UInt8]]) -> [String: [UInt8]] {
    var sources = sources
    for (path, bytes) in sources where path.hasSuffix(".html") {
      sources[path] = Array(page(String(decoding: bytes, as: UTF8.self)).utf8)
    }
    if let logo { sources[logo.path] = logo.bytes }
    sources["/css/base.css"]? += Array(styles.utf8)
    return sources
  }

  private func page(_ html: String) -> String {
    var html = html
    if let name {
      let safe = Self.escaped(name)
      html = html.replacing("Carillon</title>", with: "\(safe)</title>")
        .replacing(
          "<span class=\"brand-name\">Carillon</span>",
          with: "<span class=\"brand-name\">\(safe)</span>")
    }
    if let logo {
      let type = logo.path.hasSuffix(".svg") ? "image/svg+xml" : "image/png"
      html = html.replacing(
        "<link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">",
        with: "<link rel=\"icon\" href=\"\(logo.path)\" type=\"\(type)\">"
      )
      .replacing(
        "<svg class=\"icon\" aria-hidden=\"true\"><use href=\"/css/icons.svg#bell\"></use></svg>",
        with: "<img class=\"icon\" data-src=\"\(logo.path)\" alt=\"\">")
    }
    guard !links.isEmpty else { return html }
    let anchors = links.map {
      "<a href=\"\(Self.escaped($0.url))\" target=\"_blank\" rel=\"noopener noreferrer\">"
        + "\(Self.escaped($0.text))</a>"
    }
    return html.replacing(
      "<p id=\"legal\" class=\"fine\" hidden></p>",
      with: "<p id=\"legal\" class=\"fine\">\(anchors.joined(separator: " · "))</p>")
  }

  private var styles: String {
    var styles = ""
    for (scheme, colors, palette) in [
      ("light", light, BrandColors.Palette.light), ("dark", dark, .dark),
    ] {
      let declarations = colors.declarations(in: palette)
      guard !declarations.isEmpty else { continue }
      styles += "\n@media (prefers-color-scheme: \(scheme)) { :root { \(declarations) } }\n"
    }
    return styles
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
