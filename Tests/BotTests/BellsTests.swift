import Testing

@testable import Bot

@Test func `the bells ring immediately, are audible and fade away`() {
  let sound = BellSound.ring().map { abs(Int($0)) }
  #expect(sound.count == 172_800)
  #expect(sound[..<4_800].contains { $0 > 3_000 })
  #expect(sound.allSatisfy { $0 < 16_000 })
  #expect(sound[168_000...].allSatisfy { $0 < 4_000 })
}
