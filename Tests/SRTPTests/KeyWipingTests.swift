import Foundation
import Testing

@testable import SRTP

/// Tests that search for a key in the memory of their own process.
@Suite("Keys in memory")
struct KeyWipingTests {
  @Test("keys are wiped when their last owner is released")
  func areWiped() throws {
    let search = try MemorySearch(for: 16) { Self.keyByte(16 + $0) }
    let whileHeld = try hold { try search.run() }
    #expect(whileHeld >= Self.holders)
    #expect(try search.run() == 0)
  }

  private static let holders = 8

  /// Returns a byte of the key. No constant of the program contains the bytes of the key in their
  /// order.
  private static func keyByte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: index * 89 + 41) }

  /// Runs a step while associations have the key, after each association has protected and opened a
  /// packet.
  private func hold(_ step: () throws -> Int) throws -> Int {
    let keys = try (0..<Self.holders).map { _ in
      var material = [UInt8](repeating: 0, count: ProtectionProfile.aeadAES256GCM.exportedLength)
      for index in 0..<32 { material[index] = Self.keyByte(index) }
      return try #require(SRTPKeys(profile: .aeadAES256GCM, wiping: &material))
    }
    for each in keys {
      var sender = SRTPSender(each.client)
      var receiver = SRTPReceiver(each.client)
      let protected = try sender.protect(.rtp(1)).get()
      #expect(receiver.open(protected) == .success(.rtp(1)))
    }
    return try withExtendedLifetime(keys) { try step() }
  }
}

/// Searches the writable memory of the process for bytes, with `/proc/self/mem`.
private final class MemorySearch {
  private let needle: UnsafeMutableRawBufferPointer
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
  private let memory: FileHandle

  /// - Parameter byte: Returns one of the searched bytes, by its index. So this object has only one
  ///   copy of all searched bytes, the needle.
  init(for count: Int, _ byte: (Int) -> UInt8) throws {
    needle = .allocate(byteCount: count, alignment: 16)
    memory = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/mem"))
    for index in 0..<count { needle[index] = byte(index) }
  }

  deinit {
    needle.deallocate()
    buffer.deallocate()
  }

  /// Returns how often the bytes occur in memory, apart from the needle.
  func run() throws -> Int {
    let maps = try String(contentsOf: URL(filePath: "/proc/self/maps"), encoding: .utf8)
    return maps.split(separator: "\n").filter { $0.contains(" rw-p ") }
      .compactMap(Self.addresses).map(count).reduce(0, +)
  }

  private static func addresses(_ line: Substring) -> Range<Int>? {
    let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { Int($0, radix: 16) }
    return ends.count == 2 ? ends[0]..<ends[1] : nil
  }

  /// Returns how often the needle occurs in a region. The pieces of the region overlap, so that
  /// each occurrence lies within a piece. A piece is empty if another thread has unmapped it.
  private func count(in region: Range<Int>) -> Int {
    var (address, found) = (region.lowerBound, 0)
    while address < region.upperBound {
      let wanted = min(buffer.count, region.upperBound - address)
      let read = pread(memory.fileDescriptor, buffer.baseAddress, wanted, address)
      if read > 0 { found += matches(read).map { $0 + address }.filter(isForeign).count }
      address += wanted == buffer.count ? wanted - needle.count + 1 : wanted
    }
    return found
  }

  private func matches(_ count: Int) -> [Int] {
    guard let base = buffer.baseAddress, let wanted = needle.baseAddress else { return [] }
    var (offsets, start) = ([Int](), 0)
    while count - start >= needle.count,
      let match = memchr(base + start, Int32(needle[0]), count - start - needle.count + 1)
    {
      if memcmp(match, wanted, needle.count) == 0 { offsets.append(match - base) }
      start = match - base + 1
    }
    return offsets
  }

  /// Returns whether an address is outside the search's own memory: the needle and the buffer.
  private func isForeign(_ address: Int) -> Bool {
    let own = [UnsafeRawBufferPointer(needle), UnsafeRawBufferPointer(buffer)]
    return !own.contains { bytes in
      let start = Int(bitPattern: bytes.baseAddress)
      return (start..<(start + bytes.count)).contains(address)
    }
  }
}
