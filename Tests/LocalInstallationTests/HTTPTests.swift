import Testing

@testable import LocalInstallation
@testable import Output

@Suite struct HTTPTests {
  private let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: y\r\n\r\nok"

  @Test func `a response is read when it is complete`() throws {
    let bytes = Array(answer.utf8)
    for length in 0..<bytes.count {
      #expect(try HTTPResponse(Array(bytes[..<length]), isComplete: false) == nil)
    }
    let response = try #require(try HTTPResponse(bytes, isComplete: false))
    #expect(response.status == 200)
    #expect(response.text == "ok")
  }

  @Test func `a response without a length ends with the connection`() throws {
    let bytes = Array("HTTP/1.1 404 Not Found\r\n\r\ngone".utf8)
    #expect(try HTTPResponse(bytes, isComplete: false) == nil)
    #expect(try HTTPResponse(bytes, isComplete: true)?.text == "gone")
  }

  @Test func `a response without content is complete after its head`() throws {
    let bytes = Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)
    #expect(try HTTPResponse(bytes, isComplete: false)?.status == 204)
  }

  @Test(
    arguments: [
      "SSH-2.0-x\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "\r\n\r\n",
      "HTTP/1.1 200 OK\r\nnonsense\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    ])
  func `an invalid response is refused`(text: String) {
    #expect(throws: HTTPError.self) { try HTTPResponse(Array(text.utf8), isComplete: true) }
  }

  @Test func `a request states the type and length of its content`() {
    let request = HTTPRequest(.post, "/meetings", json: "{}")
    #expect(
      String(decoding: request.bytes(host: "h:1"), as: UTF8.self) == """
        POST /meetings HTTP/1.1\r\nHost: h:1\r\nConnection: close\r\n\
        Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}
        """)
    let bare = String(decoding: HTTPRequest(.delete, "/x").bytes(host: "h"), as: UTF8.self)
    #expect(bare.contains("Content-Length: 0\r\n"))
    #expect(!bare.contains("Content-Type"))
  }

  @Test(
    arguments: [
      ("http://127.0.0.1:8080", .tcp(host: "127.0.0.1", port: 8080)),
      ("http://[::1]:80/", .tcp(host: "::1", port: 80)),
      ("http://host", .tcp(host: "host", port: 80)),
      ("https://host", nil), ("http://", nil), ("http://a/b:1", nil), ("http://h:0", nil),
      ("http://h:x", nil), ("h:1", nil),
    ] as [(String, HTTPAddress?)])
  func `an address is read from a URL`(url: String, address: HTTPAddress?) {
    #expect(HTTPAddress(url: url) == address)
  }

  @Test func `a connection to a missing server fails immediately`() async throws {
    let client = HTTPClient(.unixSocket(path: "/nowhere/at.all"))
    await #expect(throws: HTTPError.cannotConnect("/nowhere/at.all: errno 2")) {
      try await client.send(HTTPRequest(.get, "/"), within: .seconds(5))
    }
  }
}
