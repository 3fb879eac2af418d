/// Fuzzes files of allowed keys. The target writes each list and reads it again. The list must not
/// change, and must admit only keys that its lines allow.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe FuzzInput.bytes(data, count)
  guard var list = try? AllowList(parsing: bytes) else {
    FuzzInput.require(bytes.count > AllowList.mostBytes, "a list is refused for its length only")
    return 0
  }
  for entry in list.keys {
    let verdict = list.verdict(on: entry.key, as: entry.role)
    if entry.isRevoked {
      FuzzInput.require(verdict == .refused(.revoked), "a revoked key stays outside")
    } else {
      FuzzInput.require(
        list.keys.contains { verdict == .admitted(name: $0.name) } || verdict == .refused(.revoked),
        "a key comes in by the name of a line")
    }
  }
  guard let again = try? AllowList(parsing: Array(list.text.utf8)) else { return 0 }
  FuzzInput.require(again.keys == list.keys, "a list says the same again")
  FuzzInput.require(again.faults == list.faults, "with the same faults")
  FuzzInput.require(list.isCovered(by: again), "and lets the same in")
  if let first = list.keys.first {
    _ = try? list.revoke(first.name)
    FuzzInput.require(
      list.verdict(on: first.key, as: first.role) == .refused(.revoked), "who is revoked is out")
  }
  return 0
}
