/// Fuzzes the signature of a request. An input contains the header, a line feed, the timestamp,
/// another line feed, and the query.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: unsafe FuzzInput.bytes(data, count), as: UTF8.self)
  let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
  let request = SignableRequest(
    method: "GET", path: "/", query: lines.count > 2 ? String(lines[2]) : "",
    headers: [
      .init("Host", "h"), .init("Authorization", String(lines[0])),
      .init("X-Amz-Date", lines.count > 1 ? String(lines[1]) : "20260102T030405Z"),
    ])
  guard let claim = try? UnverifiedSignature(request) else { return 0 }
  FuzzInput.require(
    claim.signature.utf8.count == 64 && claim.time.text.utf8.count == 16,
    "a claim that was read has a signature and a time")
  FuzzInput.require(
    claim.signedHeaders == Set(claim.signedHeaders).sorted(),
    "signed headers are in order, each once")
  let parts = claim.scope.text.split(separator: "/", omittingEmptySubsequences: false)
  FuzzInput.require(
    parts.count == 4 && !claim.keyID.contains("/"), "no part of a scope has a slash")
  return 0
}
