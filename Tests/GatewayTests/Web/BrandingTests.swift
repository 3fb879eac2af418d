import Foundation
import ServiceHost
import Testing

@testable import Gateway

/// Tests of the operator's name, logo, colors and links on the pages.
@Suite struct BrandingTests {
  private static let page = """
    <title>Carillon</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <p class="brand"><svg class="icon" aria-hidden="true"><use href="/css/icons.svg#bell"></use>\
    </svg><span class="brand-name">Carillon</span></p>
    <p id="legal" class="fine" hidden></p>
    """
  private static let web = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Clients/Web").standardizedFileURL

  /// Writes a branding file that contains this text, and writes a logo into the same folder. Reads
  /// the branding file, and returns the branding or the error.
  private func read(
    _ text: String, logo: [UInt8] = Array("<svg/>".utf8)
  ) throws -> Result<Branding, HostError> {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "branding.json")
    try Data(text.utf8).write(to: file)
    for ending in ["svg", "png", "gif"] {
      try Data(logo).write(to: folder.appending(path: "logo.\(ending)"))
    }
    return Result { () throws(HostError) in try BrandingFile.branding(in: file.path) }
  }

  private func problem(_ text: String, logo: [UInt8] = Array("<svg/>".utf8)) throws -> String {
    guard case .failure(.configuration(let message)) = try read(text, logo: logo) else { return "" }
    return message
  }

  @Test func `a branding file sets the name, the logo, the colors and the links`() throws {
    let branding = try read(
      """
      {"name": " Bell & Sons ", "logo": "logo.svg",
       "colors": {"light": {"accent": "#0B3D91", "background": "#FFFFFF"},
                  "dark": {"accent": "#9ec5ff"}},
       "links": [{"text": "Imprint", "url": "https://bell.example/?a=1&b=2"},
                 {"text": "Mail", "url": "mailto:legal@bell.example"}]}
      """
    ).get()
    #expect(branding.name == "Bell & Sons")
    #expect(branding.logo?.path == "/logo.svg")
    #expect(branding.light.accent?.text == "#0b3d91" && branding.dark.background == nil)
    #expect(branding.links.map(\.text) == ["Imprint", "Mail"])
    #expect(try read("{}").get() == Branding())
  }

  @Test func `the pages get the branding, and the texts of the branding are escaped`() throws {
    var branding = Branding()
    branding.name = "<Bell> & \"Sons\""
    branding.logo = Branding.Logo(path: "/logo.png", bytes: [1])
    branding.dark.accent = HexColor("#9ec5ff")
    branding.links = [
      Branding.Link(text: "A<b>", url: "https://a.example/\"onclick=\"x"),
      Branding.Link(text: "B", url: "mailto:b@b.example"),
    ]
    let sources = branding.applied(to: [
      "/index.html": Array(Self.page.utf8), "/css/base.css": Array(":root {}\n".utf8),
      "/js/a.js": Array("run();".utf8),
    ])
    let safe = "&lt;Bell&gt; &amp; &quot;Sons&quot;"
    let link = "target=\"_blank\" rel=\"noopener noreferrer\""
    #expect(
      String(decoding: sources["/index.html"] ?? [], as: UTF8.self) == """
        <title>\(safe)</title>
        <link rel="icon" href="/logo.png" type="image/png">
        <p class="brand"><img class="icon" data-src="/logo.png" alt=""><span \
        class="brand-name">\(safe)</span></p>
        <p id="legal" class="fine"><a href="https://a.example/&quot;onclick=&quot;x" \(link)>A&lt;b\
        &gt;</a> · <a href="mailto:b@b.example" \(link)>B</a></p>
        """)
    #expect(sources["/logo.png"] == [1] && sources["/js/a.js"] == Array("run();".utf8))
    let styles = String(decoding: sources["/css/base.css"] ?? [], as: UTF8.self)
    #expect(styles.hasPrefix(":root {}\n\n@media (prefers-color-scheme: dark) { :root { --accent:"))
    #expect(!styles.contains("light"))
  }

  @Test func `without branding, the files of the page are unchanged`() {
    let sources = ["/index.html": Array(Self.page.utf8), "/css/base.css": Array("x".utf8)]
    #expect(Branding().applied(to: sources) == sources)
  }

  @Test func `the repository's pages have a place for each part of the branding`() throws {
    func text(_ path: String) throws -> [UInt8] {
      Array(try Data(contentsOf: Self.web.appending(path: path)))
    }
    var branding = Branding()
    branding.name = "Bell"
    branding.logo = Branding.Logo(path: "/logo.svg", bytes: [])
    branding.links = [Branding.Link(text: "Imprint", url: "https://bell.example")]
    for page in ["index.html", "operator.html"] {
      let branded = branding.applied(to: ["/\(page)": try text(page)])["/\(page)"] ?? []
      let html = String(decoding: branded, as: UTF8.self)
      #expect(html.contains("Bell</title>") && html.contains("brand-name\">Bell<"), "\(page)")
      #expect(html.contains("src=\"/logo.svg\"") && !html.contains("#bell"), "\(page)")
      #expect(html.contains("Imprint") == (page == "index.html"))
      // Only the sentence for browsers without scripts still contains the name Carillon.
      #expect(html.components(separatedBy: "Carillon").count == 2, "\(page)")
    }
  }

  @Test func `the colors for the contrast check are the colors of the style sheet`() throws {
    let css = try String(contentsOf: Self.web.appending(path: "css/base.css"), encoding: .utf8)
    let parts = css.components(separatedBy: "@media (prefers-color-scheme: dark)")
    for (part, palette) in zip(parts, [BrandColors.Palette.light, .dark]) {
      for (name, color) in palette.surfaces.merging(palette.texts, uniquingKeysWith: { $1 }) {
        #expect(part.contains("--\(name): \(color.text);"), "\(name)")
      }
      #expect(BrandColors(accent: palette.texts["accent"]).conflict(in: palette) == nil)
      #expect(BrandColors(background: palette.surfaces["paper"]).conflict(in: palette) == nil)
    }
  }

  @Test(arguments: [
    ("light", "accent", "#8fd6bd"), ("light", "accent", "#ffffff"), ("dark", "accent", "#14594c"),
    ("light", "background", "#777777"), ("dark", "background", "#f6f3ec"),
    ("light", "accent", "#767676"),
  ])
  func `the gateway does not start with a color that is not legible`(
    scheme: String, member: String, color: String
  ) throws {
    let message = try problem(#"{"colors": {"\#(scheme)": {"\#(member)": "\#(color)"}}}"#)
    #expect(message.contains("colors.\(scheme).\(member) has a contrast of only"), "\(message)")
  }

  @Test(arguments: [
    (#"{"nane": "Bell"}"#, "nane is unknown"), (#"{"name": ""}"#, "name:"),
    (#"{"name": 1}"#, "name must be a string"), ("[]", "must be a JSON object"), ("{", "at byte"),
    (#"{"name": "\#(String(repeating: "x", count: 65))"}"#, "at most 64"),
    (#"{"colors": {"blue": {}}}"#, "colors.blue is unknown"),
    (#"{"colors": {"light": {"accent": "blue"}}}"#, "colors.light.accent must be #RRGGBB"),
    (##"{"colors": {"light": {"accent": "#12345g"}}}"##, "must be #RRGGBB"),
    (#"{"links": [{"text": "A", "url": "javascript:alert(1)"}]}"#, "links[0].url must be https"),
    (#"{"links": [{"text": "A", "url": "http://a.example"}]}"#, "links[0].url must be https"),
    (#"{"links": [{"text": "A", "url": "https://a b"}]}"#, "links[0].url must be https"),
    (#"{"links": [{"url": "https://a"}]}"#, "links[0].text is required"),
    (#"{"links": [{}, {}, {}, {}, {}, {}, {}]}"#, "links must have 0-6 elements"),
    (#"{"logo": "logo.gif"}"#, "logo must name an SVG or PNG picture"),
    (#"{"logo": "logo.png"}"#, "logo must name an SVG or PNG picture"),
    (#"{"logo": "none.svg"}"#, "none.svg does not exist"),
  ])
  func `the gateway does not start with an invalid branding file, and the error names the member`(
    text: String, part: String
  ) throws {
    let message = try problem(text)
    #expect(message.hasPrefix("--web-branding /") && message.contains(part), "\(message)")
  }

  @Test func `a logo of more than 24 KiB is refused`() throws {
    let text = #"{"logo": "logo.svg"}"#
    func logo(_ bytes: Int) -> [UInt8] {
      Array(("<svg/>" + String(repeating: " ", count: bytes - 6)).utf8)
    }
    #expect(try read(text, logo: logo(BrandingFile.largestLogo)).get().logo != nil)
    let message = try problem(text, logo: logo(BrandingFile.largestLogo + 1))
    #expect(message.contains("exceeds 24576 bytes"))
  }

  @Test func `the contrast of two colors is computed as in WCAG`() throws {
    let black = try #require(HexColor("#000000"))
    #expect(black.contrast(with: .white) == 21)
    #expect(HexColor.white.contrast(with: .white) == 1)
    let gray = try #require(HexColor("#767676"))
    #expect((gray.contrast(with: .white) * 100).rounded() == 454)
    for wrong in ["", "#fff", "14594c0", "#14594", "#+12345", "# 14594", "#14594cc", "#１２３"] {
      #expect(HexColor(wrong) == nil, "\(wrong)")
    }
  }
}
