import MeetingModel
import Testing

@Suite struct IdempotencyKeyTests {
  @Test func `no two keys are equal, even if different generators made the keys`() {
    let all = (0..<20).map { _ in IdempotencyKeyGenerator() }
    let keys = all.flatMap { keys in (1...50).map { keys.key(of: UInt64($0)) } }
    #expect(Set(keys).count == 1_000)
  }

  @Test(arguments: [1, 35, 36, 1_679_615])
  func `a key has at most fifteen printable characters`(number: UInt64) {
    let key = IdempotencyKeyGenerator().key(of: number)
    #expect(key.utf8.count <= 15)
    #expect(key.utf8.allSatisfy { (0x21...0x7E).contains($0) })
  }

  @Test func `the key for the highest number is short enough for the header`() {
    #expect(IdempotencyKeyGenerator().key(of: .max).utf8.count <= 64)
  }
}
