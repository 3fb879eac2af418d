import ServiceHost
import Testing

@testable import Gateway

/// Tests of the meeting page in a frame of another page.
@Suite struct EmbeddingTests {
  private let refused: Counter
  private let open: WebPageHandler
  private let closed: WebPageHandler

  init() throws {
    refused = MetricsRegistry().counter("refused", help: "Refused requests.")
    let files = try WebFiles([
      "/index.html": Array("<p>The page</p>".utf8), "/operator.html": Array("<p>Other</p>".utf8),
      "/js/embed/carillon-meeting.js": Array("run();".utf8), "/js/a.js": Array("run();".utf8),
    ])
    let origins = try #require(EmbedOrigins("https://a.example,https://b.example:8443"))
    func handler(_ embedding: WebEmbedding?) -> WebPageHandler {
      WebPageHandler(
        files: files, lobby: .closed, origins: OriginPolicy(["https://c.example"]),
        desk: LobbyAdmission(), embedding: embedding, languages: { [] })
    }
    open = handler(WebEmbedding(origins: origins, refused: refused))
    closed = handler(nil)
  }

  private func get(
    _ target: String, from page: WebPageHandler, _ headers: [String: String] = [:]
  ) throws -> RESTResponse {
    let sent = headers.map { RESTRequest.Header(name: $0, value: $1) }
    return try #require(page.page(for: RESTRequest(method: "GET", target: target, headers: sent)))
  }

  private func ancestors(_ answer: RESTResponse) -> String? {
    let rules = answer.header("Content-Security-Policy")?.split(separator: ";") ?? []
    return rules.first { $0.hasPrefix(" frame-ancestors ") }.map { String($0.dropFirst(17)) }
  }

  // MARK: Origins

  @Test(arguments: [
    ("https://a.example", ["https://a.example"]),
    ("https://A.Example:443", ["https://a.example"]),
    ("https://a.example, https://b.example:8443", ["https://a.example", "https://b.example:8443"]),
    ("https://a.example,https://a.example:443", ["https://a.example"]),
    ("http://localhost:3000", ["http://localhost:3000"]),
    ("http://127.0.0.1:80,http://[::1]:81", ["http://127.0.0.1", "http://[::1]:81"]),
  ])
  func `origins have the form that browsers send`(text: String, list: [String]) {
    #expect(EmbedOrigins(text)?.list == list)
  }

  @Test(arguments: [
    "", ",", "https://a.example,", "*", "https://*.a.example", "https://a.example/",
    "https://a.example/path", "http://a.example", "https:", "a.example", "null", "'self'",
    "https://a.example;script-src", "https://a.example https://b.example 'unsafe-inline'",
    "https://a.example:0", "ftp://a.example", "https://a.example\r\nX: y",
  ])
  func `a text that is no list of origins is refused`(text: String) {
    #expect(EmbedOrigins(text) == nil)
  }

  @Test func `the number of origins is limited`() {
    func list(_ count: Int) -> String {
      (0..<count).map { "https://host\($0).example" }.joined(separator: ",")
    }
    #expect(EmbedOrigins(list(EmbedOrigins.most))?.list.count == EmbedOrigins.most)
    #expect(EmbedOrigins(list(EmbedOrigins.most + 1)) == nil)
  }

  // MARK: The page

  @Test func `only the listed origins may show the page in a frame`() throws {
    let all = try get("/embed", from: open)
    #expect(all.status == .ok)
    #expect(all.body == (try get("/", from: open)).body)
    #expect(ancestors(all) == "https://a.example https://b.example:8443")
    let one = try get("/embed?origin=https%3A%2F%2Fb.example%3A8443&lang=de", from: open)
    #expect(ancestors(one) == "https://b.example:8443")
    let policy = try #require(one.header("Content-Security-Policy"))
    #expect(policy.contains("require-trusted-types-for 'script'") && !policy.contains("unsafe"))
    #expect(refused.value == 0)
  }

  @Test(arguments: [
    "https://c.example", "https%3A%2F%2Fevil.example", "https://a.example:443", "*", "", "null",
    "https://a.example&origin=https://a.example", "https://A.example", "%zz",
    "https://a.example%20https://evil.example",
  ])
  func `an origin that is not listed is refused and counted`(origin: String) throws {
    let answer = try get("/embed?origin=\(origin)", from: open)
    #expect(answer.status == .forbidden)
    #expect(answer.header("Cache-Control") == "no-store")
    #expect(answer.header("Content-Type") == "text/plain; charset=utf-8")
    #expect(refused.value == 1)
  }

  @Test func `without listed origins, no page may show the meeting page in a frame`() throws {
    for target in ["/embed", "/embed?origin=https://a.example"] {
      #expect(try get(target, from: closed).status == .notFound)
    }
    for page in [open, closed] {
      for path in ["/", "/index.html", "/operator"] {
        #expect(ancestors(try get(path, from: page)) == "'none'", "\(path)")
      }
    }
  }

  @Test func `a browser that has cached the page still gets the current origins`() throws {
    let tag = try #require(try get("/embed", from: open).header("ETag"))
    let again = try get("/embed", from: open, ["If-None-Match": tag])
    #expect(again.status == .notModified)
    #expect(ancestors(again) == "https://a.example https://b.example:8443")
  }

  // MARK: The element

  @Test func `pages of listed origins may load the module of the custom element`() throws {
    let answer = try get(WebEmbedding.element, from: open, ["Origin": "https://a.example"])
    #expect(answer.header("Access-Control-Allow-Origin") == "https://a.example")
    #expect(answer.headers.contains { $0.name == "Vary" && $0.value == "Origin" })
    for origin in ["https://c.example", "https://evil.example", "null"] {
      let foreign = try get(WebEmbedding.element, from: open, ["Origin": origin])
      #expect(foreign.header("Access-Control-Allow-Origin") == nil)
    }
    for path in ["/js/a.js", "/", "/embed"] {
      let other = try get(path, from: open, ["Origin": "https://a.example"])
      #expect(other.header("Access-Control-Allow-Origin") == nil, "\(path)")
    }
    let none = try get(WebEmbedding.element, from: closed, ["Origin": "https://a.example"])
    #expect(none.header("Access-Control-Allow-Origin") == nil)
  }
}
