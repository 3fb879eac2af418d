/// Fuzzes bodies and paths of REST requests.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe FuzzInput.bytes(data, count)
  let decoded = PercentDecoding.decode(String(decoding: bytes, as: UTF8.self))
  FuzzInput.require(
    decoded.map { !$0.utf8.contains(0) || bytes.contains(0) } ?? true,
    "no escape stands for a NUL")
  guard let value = try? JSONParser.parse(bytes) else { return 0 }
  let text = value.text
  guard let again = try? JSONParser.parse(Array(text.utf8)) else {
    fatalError("Broken: JSON that was read and written can be read again")
  }
  FuzzInput.require(
    again == value && again.text == text && value.withoutNulls.withoutNulls == value.withoutNulls,
    "JSON that was read and written says the same")
  return 0
}
