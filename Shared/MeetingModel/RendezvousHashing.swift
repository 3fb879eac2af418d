/// Rendezvous (highest-random-weight) hashing. All processes compute the same owner of a key
/// without communication.
///
/// All processes must know the same instances. When an instance appears or disappears, only the
/// keys that this instance gains or loses move. The weight of an instance for a key is defined byte
/// by byte, so that a program in any language can compute the weight:
///
/// 1. FNV-1a, 64 bits (offset basis `cbf29ce484222325`, prime `100000001b3`), over the UTF-8 bytes
///    of the instance, one zero byte, and the UTF-8 bytes of the key;
/// 2. the finalizer of MurmurHash3's 128-bit variant, modulo 2^64: `h ^= h >> 33`,
///    `h *= ff51afd7ed558ccd`, `h ^= h >> 33`, `h *= c4ceb9fe1a85ec53`, `h ^= h >> 33`.
///
/// The instance with the highest weight owns the key. If weights are equal, the first name in byte
/// order wins.
public enum RendezvousHashing {
  /// Returns the owner of `key`, or `nil` if there are no instances.
  ///
  /// The order of `instances` does not matter, and repeated names have no effect.
  public static func owner(of key: String, among instances: [String]) -> String? {
    var best: (instance: String, weight: UInt64)?
    for instance in instances {
      let weight = weight(of: instance, for: key)
      if let best, !isPreferred((instance, weight), to: best) { continue }
      best = (instance, weight)
    }
    return best?.instance
  }

  /// Returns the weight defined above; ``owner(of:among:)`` picks the instance with the highest
  /// weight.
  public static func weight(of instance: String, for key: String) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    instance.utf8.forEach(add)
    add(0)
    key.utf8.forEach(add)
    return mixed(hash)
  }

  /// Returns a number that identifies a set of instances; never 0.
  ///
  /// The number is FNV-1a, 64 bits, over the UTF-8 bytes of the names in byte order, with one zero
  /// byte after each name.
  public static func fingerprint(of instances: [String]) -> UInt64 {
    let names = Set(instances).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for name in names {
      for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      hash = hash &* 0x100_0000_01b3
    }
    return max(hash, 1)
  }

  private static func isPreferred(
    _ left: (instance: String, weight: UInt64), to right: (instance: String, weight: UInt64)
  ) -> Bool {
    left.weight == right.weight
      ? left.instance.utf8.lexicographicallyPrecedes(right.instance.utf8)
      : left.weight > right.weight
  }

  private static func mixed(_ value: UInt64) -> UInt64 {
    var hash = value
    hash ^= hash >> 33
    hash = hash &* 0xff51_afd7_ed55_8ccd
    hash ^= hash >> 33
    hash = hash &* 0xc4ce_b9fe_1a85_ec53
    return hash ^ hash >> 33
  }
}
