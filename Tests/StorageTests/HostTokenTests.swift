import MeetingModel
import Testing

@testable import Storage

@Suite struct HostTokenTests {
  private let meeting = MeetingID.random()
  private let now: Int64 = 1_700_000_000

  private func refusal(
    of token: HostToken, _ tokens: HostTokenIssuer, for meeting: MeetingID? = nil,
    at time: Int64? = nil
  ) -> HostTokenRefusal? {
    do throws(HostTokenRefusal) {
      _ = try tokens.check(token, for: meeting ?? self.meeting, at: time ?? now)
    } catch {
      return error
    }
    return nil
  }

  @Test func `a token grants one meeting for a day`() async throws {
    try await withFiles { fixture in
      let tokens = try fixture.tokens().hostTokens
      let (token, issued) = tokens.issue(for: meeting, at: now)
      #expect(token.text.count == 91)
      let grant = try tokens.check(token, for: meeting, at: now + 86_399)
      #expect(grant == issued)
      #expect(grant.meeting == meeting)
      #expect((grant.issuedAt, grant.expiresAt) == (now, now + 86_400))
      #expect(refusal(of: token, tokens, at: now + 86_400) == .expired)
    }
  }

  @Test func `a token of another meeting or another key is refused with the reason`() async throws {
    try await withFiles { fixture in
      let tokens = try fixture.tokens().hostTokens
      let (token, _) = tokens.issue(for: meeting, at: now)
      #expect(refusal(of: token, tokens, for: .random()) == .otherMeeting)
      try await withFiles { other in
        let strangers = try other.tokens().hostTokens
        #expect(refusal(of: token, strangers) == .otherKey)
      }
    }
  }

  @Test func `a join token is not a host token`() async throws {
    try await withFiles { fixture in
      let tokens = try fixture.tokens()
      let join = tokens.token(
        meeting: meeting, attendee: .random(), nonce: JoinTokenIssuer.makeNonce())
      #expect(refusal(of: HostToken(join.text), tokens.hostTokens) == .forged)
    }
  }

  @Test func `a token with a changed expiry or meeting is refused as forged`()
    async throws
  {
    try await withFiles { fixture in
      let tokens = try fixture.tokens().hostTokens
      let (token, _) = tokens.issue(for: meeting, at: now)
      let other = MeetingID.random()
      let bytes = try #require(Base64URL.bytes(of: token.text))
      var later = bytes
      later[35] = later[35] &+ 1
      var elsewhere = bytes
      elsewhere.replaceSubrange(4..<20, with: other.guid.bytes)
      #expect(refusal(of: HostToken(Base64URL.text(of: later)), tokens) == .forged)
      #expect(
        refusal(of: HostToken(Base64URL.text(of: elsewhere)), tokens, for: other) == .forged)
    }
  }

  @Test func `a shortened or lengthened token is refused`() async throws {
    try await withFiles { fixture in
      let tokens = try fixture.tokens().hostTokens
      let text = tokens.issue(for: meeting, at: now).token.text
      let lengths = 0..<text.count
      for length in lengths {
        #expect(refusal(of: HostToken(String(text.prefix(length))), tokens) == .forged)
      }
      for longer in [text + "A", text + "=", " " + text, text + text, text + "\u{0}"] {
        #expect(refusal(of: HostToken(longer), tokens) == .forged)
      }
    }
  }

  @Test func `ten thousand altered tokens are refused`() async throws {
    try await withFiles { fixture in
      let tokens = try fixture.tokens().hostTokens
      let text = tokens.issue(for: meeting, at: now).token.text
      var mutations = HostTokenMutations(seed: 38)
      for _ in 0..<10_000 {
        let mutant = mutations.mutant(of: text)
        #expect(refusal(of: HostToken(mutant), tokens) != nil, "\(mutant)")
      }
    }
  }

  @Test func `descriptions and dumps do not contain the token`() async throws {
    try await withFiles { fixture in
      let token = try fixture.tokens().hostTokens.issue(for: meeting, at: now).token
      var dumped = ""
      dump(token, to: &dumped)
      for text in ["\(token)", String(reflecting: token), dumped] {
        #expect(!text.contains(token.text))
      }
    }
  }
}

/// Makes changed copies of a text. In a copy, a character is replaced, added or removed, or two
/// characters are exchanged. A seed determines the changes.
private struct HostTokenMutations {
  private var state: UInt64
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=. ")

  init(seed: UInt64) { state = seed }

  /// Returns a text that differs from the given text.
  mutating func mutant(of text: String) -> String {
    var characters = Array(text)
    repeat {
      for _ in 0...below(3) { change(&characters) }
    } while String(characters) == text
    return String(characters)
  }

  private mutating func change(_ characters: inout [Character]) {
    guard !characters.isEmpty else { return characters.append(letter()) }
    let place = below(characters.count)
    switch below(4) {
    case 0: characters[place] = letter()
    case 1: characters.insert(letter(), at: place)
    case 2: characters.remove(at: place)
    default: characters.swapAt(place, below(characters.count))
    }
  }

  private mutating func letter() -> Character { Self.alphabet[below(Self.alphabet.count)] }

  /// Returns the next number of a linear congruential generator, below a limit.
  private mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }
}
