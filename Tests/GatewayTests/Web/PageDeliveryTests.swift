import Testing

@testable import Gateway

/// Tests of the responses in which the gateway sends the page's files.
@Suite struct PageDeliveryTests {
  private static let script = "/** A module. */\n" + String(repeating: "run();\n", count: 200)
  private static let html = """
    <link rel="stylesheet" href="/css/a.css">
    <script type="module" src="/js/main.js"></script>
    <p>Say "href=" and <a href="/operator">go</a> to <a href="/other.html">x</a>, "/js/main.js".
    <use href="/css/icons.svg#bell"></use><img src="/none.png"></p>

    """

  private let files: WebFiles
  private let face: WebPageHandler

  init() throws {
    files = try WebFiles([
      "/index.html": Array(Self.html.utf8), "/other.html": Array("<p>Other</p>".utf8),
      "/js/main.js": Array(("import \"./part.js\";\n" + Self.script).utf8),
      "/js/part.js": Array(Self.script.utf8), "/css/a.css": Array("a{}".utf8),
      "/css/icons.svg": Array("<svg/>".utf8), "/notes.md": Array("secret".utf8),
    ])
    face = WebPageHandler(
      files: files, lobby: .closed, origins: OriginPolicy([]), desk: LobbyAdmission(),
      languages: { [] })
  }

  private func get(
    _ path: String, method: String = "GET", _ headers: [String: String] = [:]
  ) -> RESTResponse? {
    face.page(
      for: RESTRequest(
        method: method, target: path, headers: headers.map { .init(name: $0, value: $1) }))
  }

  @Test
  func `a page's links to files contain the common version, and the page preloads its modules`()
    throws
  {
    let page = String(decoding: try #require(get("/")).body, as: UTF8.self)
    let version = files.prefix
    #expect(version.hasPrefix("/v/") && version.utf8.count == 35)
    #expect(
      page == """
        <link rel="stylesheet" href="\(version)/css/a.css">
        <link rel="modulepreload" href="\(version)/js/part.js">
          <script type="module" src="\(version)/js/main.js"></script>
        <p>Say "href=" and <a href="/operator">go</a> to <a href="/other.html">x</a>, "/js/main.js".
        <use href="\(version)/css/icons.svg#bell"></use><img src="/none.png"></p>

        """)
  }

  @Test
  func `files at a versioned address are cached forever, and other addresses are revalidated`()
    throws
  {
    let kept = try #require(get(files.prefix + "/js/main.js"))
    #expect(kept.header("Cache-Control") == "public, max-age=31536000, immutable")
    for path in ["/", "/other.html", "/js/main.js"] {
      #expect(get(path)?.header("Cache-Control") == "no-cache", "\(path)")
    }
  }

  @Test func `a change of any file changes the version, and the same files have the same version`()
    throws
  {
    let sources = ["/index.html": Array("x".utf8), "/a.js": Array("1".utf8)]
    #expect(try WebFiles(sources).prefix == WebFiles(sources).prefix)
    var changed = sources
    changed["/a.js"] = Array("2".utf8)
    #expect(try WebFiles(sources).prefix != WebFiles(changed).prefix)
    var renamed = sources
    renamed["/b.js"] = renamed.removeValue(forKey: "/a.js")
    #expect(try WebFiles(sources).prefix != WebFiles(renamed).prefix)
  }

  @Test func `unknown versions and unknown files are not found, and the answer is not cached`() {
    let version = files.prefix
    for path in [
      "/v/0123456789abcdef0123456789abcdef/js/main.js", "/v/", "/v/x", version, version + "/",
      version + "/js/none.js", version + "/index.html", version + "/operator",
      version + "/../index.html", version + "/js/../js/main.js", version + "/js/%2e%2e/js/main.js",
      version + "//js/main.js", version + "/notes.md", version + "/js/main.js/",
      version.uppercased() + "/js/main.js",
    ] where path.hasPrefix("/v/") {
      let answer = get(path)
      #expect(answer?.status == .notFound, "\(path)")
      #expect(answer?.header("Cache-Control") == "no-store", "\(path)")
    }
    for path in ["/../etc/passwd", "/notes.md", "/js", "//js/main.js", "/js/..%2fjs/main.js"] {
      #expect(get(path) == nil, "\(path)")
    }
    #expect(get(version + "/js/main.js", method: "POST") == nil)
  }

  @Test func `each coding has its own ETag, and all answers vary by Accept-Encoding`() throws {
    let path = files.prefix + "/js/main.js"
    let plain = try #require(get(path))
    let gzipped = try #require(get(path, ["Accept-Encoding": "gzip, br"]))
    #expect(plain.header("Content-Encoding") == nil)
    #expect(gzipped.header("Content-Encoding") == "gzip")
    #expect(gzipped.body.starts(with: [0x1F, 0x8B]) && gzipped.body.count < plain.body.count)
    #expect(plain.header("ETag") != gzipped.header("ETag"))
    for answer in [plain, gzipped] { #expect(answer.header("Vary") == "Accept-Encoding") }
    let refused = get(path, ["Accept-Encoding": "identity;q=0"])
    #expect(refused?.status == .notAcceptable)
    #expect(refused?.header("Cache-Control") == "no-store")
    // This file is too small for compression.
    #expect(get("/css/a.css", ["Accept-Encoding": "gzip"])?.header("Content-Encoding") == nil)
    let small = try #require(get("/css/a.css", ["Accept-Encoding": "gzip, identity;q=0"]))
    #expect(small.header("Content-Encoding") == "gzip")
  }

  @Test func `a file that the client already has in the same coding is not sent again`() throws {
    let tag = try #require(get("/js/main.js")?.header("ETag"))
    for known in [tag, "W/\(tag)", "\"x\", \(tag)", "\"x\" ,\t\(tag) ", "*"] {
      let answer = try #require(get("/js/main.js", ["If-None-Match": known]))
      #expect(answer.status == .notModified && answer.body.isEmpty, "\(known)")
      #expect(answer.header("ETag") == tag)
      #expect(answer.header("Vary") == "Accept-Encoding")
      #expect(answer.header("Content-Type") == nil && answer.header("Content-Encoding") == nil)
    }
    for other in ["\"x\"", "", ",", String(tag.dropLast()), "W/"] {
      #expect(get("/js/main.js", ["If-None-Match": other])?.status == .ok, "\(other)")
    }
    let compressed = ["If-None-Match": tag, "Accept-Encoding": "gzip"]
    #expect(get("/js/main.js", compressed)?.status == .ok)
  }

  @Test func `a range request is answered with the whole file`() throws {
    let answer = try #require(get("/js/main.js", ["Range": "bytes=0-9"]))
    #expect(answer.status == .ok && answer.body == get("/js/main.js")?.body)
    #expect(answer.header("Content-Range") == nil && answer.header("Accept-Ranges") == nil)
  }

  @Test func `the headers prevent text of a page from running as a script`() throws {
    let policy = try #require(get("/")?.header("Content-Security-Policy"))
    #expect(policy.contains("require-trusted-types-for 'script'"))
    #expect(!policy.contains("unsafe"))
    // A browser can open an SVG picture on its own, as a document.
    #expect(get("/css/icons.svg")?.header("Content-Security-Policy") == policy)
    #expect(get("/js/main.js")?.header("X-Content-Type-Options") == "nosniff")
  }
}
