import MeetingModel
import Testing

@Suite struct RendezvousTests {
  private let instances = ["presence-a", "presence-b", "presence-c", "presence-d"]
  private let keys = (0..<4_000).map { "meeting-\($0)" }

  @Test func `a key has no owner if there are no instances`() {
    #expect(RendezvousHashing.owner(of: "m", among: []) == nil)
  }

  @Test func `a single instance owns every key`() {
    #expect(
      keys.allSatisfy { RendezvousHashing.owner(of: $0, among: ["presence-a"]) == "presence-a" })
  }

  @Test func `the order and repetition of instances do not change the owner`() {
    for key in keys {
      let owner = RendezvousHashing.owner(of: key, among: instances)
      #expect(RendezvousHashing.owner(of: key, among: instances.reversed()) == owner)
      #expect(RendezvousHashing.owner(of: key, among: instances + instances) == owner)
    }
  }

  @Test func `all instances own equal shares of the keys, with deviations below one sixth`() {
    let shares = Dictionary(grouping: keys) { RendezvousHashing.owner(of: $0, among: instances) }
    #expect(shares.count == instances.count)
    #expect(shares.values.allSatisfy { abs($0.count - 1_000) < 167 })
  }

  @Test func `removing an instance moves only the keys of the removed instance`() {
    let remaining = Array(instances.dropLast())
    for key in keys {
      let before = RendezvousHashing.owner(of: key, among: instances)
      guard before != instances.last else { continue }
      #expect(RendezvousHashing.owner(of: key, among: remaining) == before)
    }
  }

  @Test(
    arguments: [
      ("", "", 0xb9034ad37056f5fb),
      ("presence-a", "", 0x0a5cf7243fc5d1f2),
      ("", "m", 0x2a4f928387da4c27),
      ("presence-a", "7c0a1f2e-9b3d-4c5e-8f70-112233445566", 0xda243a74117b2d2c),
      ("présence", "réunion", 0x691c238e2bf4e0d5),
    ] as [(String, String, UInt64)])
  func `weights have the values of the documented algorithm`(
    instance: String, key: String, weight: UInt64
  ) {
    #expect(RendezvousHashing.weight(of: instance, for: key) == weight)
  }
}
