import Foundation
import MeetingModel
import Testing

@testable import Storage

@Suite struct JoinTokenTests {
  private let meeting = MeetingID.random()
  private let attendee = AttendeeID.random()
  private let nonce = JoinTokenIssuer.makeNonce()

  @Test func `a token has 64 characters of base64url and is reproducible`() async throws {
    try await withFiles { fixture in
      let tokens = try fixture.tokens()
      let token = tokens.token(meeting: meeting, attendee: attendee, nonce: nonce)
      #expect(token.text.count == 64)
      let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
      #expect(token.text.allSatisfy(alphabet.contains))
      #expect(tokens.token(meeting: meeting, attendee: attendee, nonce: nonce) == token)
      #expect(tokens.isValid(token, meeting: meeting, attendee: attendee, nonce: nonce))
    }
  }

  @Test func `a token is valid only for its meeting, attendee, nonce and key`() async throws {
    try await withFiles { fixture in
      let tokens = try fixture.tokens()
      let token = tokens.token(meeting: meeting, attendee: attendee, nonce: nonce)
      let otherNonce = JoinTokenIssuer.makeNonce()
      #expect(!tokens.isValid(token, meeting: .random(), attendee: attendee, nonce: nonce))
      #expect(!tokens.isValid(token, meeting: meeting, attendee: .random(), nonce: nonce))
      #expect(!tokens.isValid(token, meeting: meeting, attendee: attendee, nonce: otherNonce))
      let swapped = tokens.token(
        meeting: MeetingID(attendee.guid), attendee: AttendeeID(meeting.guid), nonce: nonce)
      #expect(swapped != token)
      try await withFiles { other in
        let strangers = try other.tokens()
        #expect(!strangers.isValid(token, meeting: meeting, attendee: attendee, nonce: nonce))
      }
    }
  }

  @Test func `a token with a changed, added or removed character is refused`() async throws {
    try await withFiles { fixture in
      let tokens = try fixture.tokens()
      let text = tokens.token(meeting: meeting, attendee: attendee, nonce: nonce).text
      var forgeries = ["", "#content", text + "A", text + "=", " " + text, text + "\u{0}"]
      forgeries += [String(text.dropLast()), String(text.dropFirst()), text + text]
      forgeries += text.indices.map { index in
        var characters = Array(text)
        let place = text.distance(from: text.startIndex, to: index)
        characters[place] = characters[place] == "A" ? "B" : "A"
        return String(characters)
      }
      for forgery in forgeries {
        let token = JoinToken(forgery)
        #expect(!tokens.isValid(token, meeting: meeting, attendee: attendee, nonce: nonce))
      }
    }
  }

  @Test func `a content share's token is the owner's token with one suffix`() async throws {
    try await withFiles { fixture in
      let tokens = try fixture.tokens()
      let text = tokens.token(meeting: meeting, attendee: attendee, nonce: nonce).text
      func isValid(_ text: String) -> Bool {
        tokens.isValid(JoinToken(text), meeting: meeting, attendee: attendee, nonce: nonce)
      }
      #expect(isValid(text + "#content"))
      #expect(!isValid(text + "#content#content"))
      #expect(!isValid(text + "#Content"))
      #expect(!isValid(text + "#"))
      #expect(JoinToken(text + "#content").base == JoinToken(text))
      #expect(JoinToken(text).base == JoinToken(text))
    }
  }

  @Test func `a token contains its attendee and the mark of a content share`() async throws {
    try await withFiles { fixture in
      let token = try fixture.tokens().token(meeting: meeting, attendee: attendee, nonce: nonce)
      #expect(token.participant == ParticipantID(attendee))
      let content = JoinToken(token.text + "#content")
      #expect(content.participant == ParticipantID(attendee, modality: .content))
      let text = token.text
      for text in ["", "#content", String(text.dropLast()), text + "A", "?" + text] {
        #expect(JoinToken(text).participant == nil)
      }
    }
  }

  @Test func `a token of an earlier version stays valid`() async throws {
    try await withFiles { fixture in
      let tokens = try fixture.tokens()
      let token = tokens.token(meeting: meeting, attendee: attendee, nonce: nonce)
      let code = try #require(Base64URL.bytes(of: token.text)).dropFirst(16)
      let former = JoinToken(Base64URL.text(of: Array(code)))
      #expect(former.text.count == 43 && former.participant == nil)
      #expect(tokens.isValid(former, meeting: meeting, attendee: attendee, nonce: nonce))
      #expect(!tokens.isValid(former, meeting: meeting, attendee: .random(), nonce: nonce))
    }
  }

  @Test func `a browser's session id depends on the token and the session number`() {
    let (one, other) = (JoinToken("one"), JoinToken("other"))
    #expect(one.session(numbered: 7) == one.session(numbered: 7))
    #expect(one.session(numbered: 7) != one.session(numbered: 8))
    #expect(one.session(numbered: 7) != other.session(numbered: 7))
  }

  @Test func `descriptions of a token hide its text`() {
    let issued = JoinToken("very-secret")
    var dumped = ""
    dump([issued], to: &dumped)
    let texts = ["\(issued)", String(reflecting: issued), "\([issued])", dumped]
    #expect(texts.allSatisfy { !$0.contains("very-secret") })
  }

  @Test(
    arguments: [
      ([], ""), ([0], "AA"), ([0xFF], "_w"), ([0xFB, 0xFF], "-_8"), ([1, 2, 3], "AQID"),
      ([0xFF, 0xFF, 0xFF, 0xFE], "_____g"),
    ] as [([UInt8], String)])
  func `base64url has no padding`(bytes: [UInt8], text: String) {
    #expect(Base64URL.text(of: bytes) == text)
    #expect(Base64URL.bytes(of: text) == bytes)
  }
}

@Suite struct KeyFileTests {
  @Test func `the first start creates a 32-byte key that only the owner can read`() async throws {
    try await withFiles { fixture in
      _ = try fixture.tokens()
      #expect(try fixture.mode(of: fixture.keyFile) == 0o600)
      #expect(try Data(contentsOf: URL(filePath: fixture.keyFile)).count == 32)
      let names = try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path)
      #expect(names == ["token.key"])
    }
  }

  @Test func `a later start of the gateway uses the same token key`() async throws {
    try await withFiles { fixture in
      let (meeting, attendee) = (MeetingID.random(), AttendeeID.random())
      let first = try fixture.tokens().token(meeting: meeting, attendee: attendee, nonce: [1])
      let second = try fixture.tokens().token(meeting: meeting, attendee: attendee, nonce: [1])
      #expect(first == second)
    }
  }

  @Test func `concurrent starts of a gateway share one token key`() async throws {
    try await withFiles { fixture in
      let (meeting, attendee) = (MeetingID.random(), AttendeeID.random())
      let tokens = try await withThrowingTaskGroup(of: JoinToken.self) { group in
        for _ in 0..<32 {
          group.addTask {
            try fixture.tokens().token(meeting: meeting, attendee: attendee, nonce: [1])
          }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(tokens.count == 1)
    }
  }

  @Test(arguments: [
    (0o600, true), (0o400, true), (0o700, true), (0o640, false), (0o604, false), (0o660, false),
    (0o644, false), (0o610, false),
  ])
  func `a key file that others can read or write is refused`(mode: Int, isAccepted: Bool)
    async throws
  {
    try await withFiles { fixture in
      _ = try fixture.tokens()
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: fixture.keyFile)
      #expect(((try? fixture.tokens()) != nil) == isAccepted)
      guard !isAccepted else { return }
      let error = #expect(throws: StorageError.self) { try fixture.tokens() }
      #expect(error?.status.code == .failedPrecondition)
      #expect(error?.status.message.contains("chmod 600") == true)
    }
  }

  @Test(arguments: [0, 1, 31, 33, 64, 10_000])
  func `a key of a wrong length is refused`(count: Int) async throws {
    try await withFiles { fixture in
      _ = FileManager.default.createFile(
        atPath: fixture.keyFile, contents: Data(count: count),
        attributes: [.posixPermissions: 0o600])
      let error = #expect(throws: StorageError.self) { try fixture.tokens() }
      #expect(error?.status.message.contains("exactly 32") == true)
    }
  }

  @Test func `a directory in place of the key file is refused`() async throws {
    try await withFiles { fixture in
      let error = #expect(throws: StorageError.self) {
        try JoinTokenIssuer(keyFile: fixture.directory.path)
      }
      #expect(error?.status.message.contains("not a regular file") == true)
    }
  }

  @Test func `a key file in a missing directory is refused with a reason`() async throws {
    try await withFiles { fixture in
      let error = #expect(throws: StorageError.self) {
        try JoinTokenIssuer(keyFile: fixture.directory.path + "/missing/token.key")
      }
      #expect(error?.status.message.contains("No such file or directory") == true)
    }
  }
}
