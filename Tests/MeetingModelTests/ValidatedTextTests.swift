import MeetingModel
import Testing

@Suite struct ValidatedTextTests {
  @Test(arguments: [
    ("ab", true), ("a", false), ("", false),
    (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
    (String(repeating: "é", count: 64), true), (String(repeating: "é", count: 65), false),
    ("Ada Lovelace", true), ("a\tb\nc\u{B}d\u{C}e\rf", true), ("\r\n", true), ("  ", true),
    ("-_&@+=,(){}[]/«».:|'\"#", true), ("À×÷ÿ", true), ("¿¿", false), ("Āa", false),
    ("e\u{301}e", false), ("日本", false), ("Ада", false), ("😀😀", false), ("a\u{0}b", false),
    ("a!", false), ("a$", false), ("a%", false), ("a*", false), ("a;", false), ("a<", false),
    ("a>", false), ("a?", false), ("a\\", false), ("a^", false), ("a`", false), ("a~", false),
    ("a\u{A0}", false), ("a\u{7F}", false), ("a\u{1F}", false), ("a\u{85}", false),
    ("aws:x", false), ("AWS:x", false), ("aWs:", false), ("aws", true), ("xaws:y", true),
    (" aws:y", true),
  ])
  func `an external id has 2-64 characters from the permitted set`(text: String, isValid: Bool) {
    #expect(((try? ExternalUserID(text)) != nil) == isValid)
    #expect(((try? ExternalMeetingID(text)) != nil) == isValid)
    #expect(((try? MeetingHostID(text)) != nil) == isValid)
  }

  @Test func `an external id is kept unchanged, including white space`() throws {
    #expect(try ExternalUserID(" ada\t").text == " ada\t")
  }

  @Test(arguments: [
    ("ab", true), ("a", false), ("", false), ("tok-1_B", true),
    (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
    ("a b", false), ("a.b", false), ("é1", false), ("１２", false), ("ab\n", false),
  ])
  func `a client request token is 2-64 letters, digits, hyphens or underscores`(
    text: String, isValid: Bool
  ) {
    #expect(((try? ClientRequestToken(text)) != nil) == isValid)
  }

  @Test(arguments: [
    ("ab", true), ("a", false), ("aaab", true), ("aaaa", false), ("baaaa", false), ("aabaa", true),
    ("-_!@#$", true), ("a b", false), ("a.b", false), ("é1", false),
    (String(repeating: "ab", count: 128), true), (String(repeating: "ab", count: 128) + "a", false),
  ])
  func `a tenant id has 2-256 permitted characters, none four times in a row`(
    text: String, isValid: Bool
  ) {
    #expect(((try? TenantID(text)) != nil) == isValid)
  }

  @Test(arguments: [
    ("us-east-1", true), ("us-gov-west-1", true), ("eu-central-1", true), ("cellar", true),
    ("US-EAST-1", false), ("us-east-3", false), ("", false), ("x", false), ("attic", false),
  ])
  func `a media region is a published region or a region that the operator added`(
    text: String, isValid: Bool
  ) {
    let region = try? MediaRegion(text, additional: ["cellar", "x"])
    #expect((region != nil) == isValid)
    #expect(region.map(\.text) == (isValid ? text : nil))
  }

  @Test func `only the twenty published regions are valid unless the operator adds regions`() {
    #expect(MediaRegion.known.count == 20)
    #expect(MediaRegion.known.allSatisfy { (try? MediaRegion($0)) != nil })
    #expect(throws: InvalidModelValue.self) { try MediaRegion("cellar") }
  }

  @Test(arguments: [
    ("k", "", true), ("", "v", false), ("aZ09+,-./:;<=_", "aZ09+,-./:;<=_@ \t", true),
    ("a b", "v", false), ("a@", "v", false), ("a*", "v", false), ("a#", "v", false),
    ("é", "v", false), ("k", "é", false), ("k", "v#", false), ("k", "v>", false),
    ("k>", "v", false),
    ("aws:k", "v", false), ("AwS:k", "v", false), ("k", "aws:v", true),
    (String(repeating: "k", count: 128), String(repeating: "v", count: 256), true),
    (String(repeating: "k", count: 129), "v", false),
    ("k", String(repeating: "v", count: 257), false),
  ])
  func `a tag needs a valid key and a valid value`(key: String, value: String, isValid: Bool) {
    #expect(((try? MeetingTag(key: key, value: value)) != nil) == isValid)
  }

  @Test func `the error for a refused text names the kind of text and does not repeat the text`() {
    let error = #expect(throws: InvalidModelValue.self) { try ExternalUserID("sneaky;text") }
    #expect(error?.status.code == .invalidArgument)
    #expect(error?.status.message.contains("external user id") == true)
    #expect(error?.status.message.contains("sneaky") == false)
  }
}
