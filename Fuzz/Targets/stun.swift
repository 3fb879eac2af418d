/// Datagrams of whoever knows the port: what is read is written, and says the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe FuzzInput.bytes(data, count)
  guard let message = STUNMessage(bytes.span) else { return 0 }
  FuzzInput.require(STUNMessage.isLikely(bytes.span), "what is read looks like it")
  let code = [UInt8](repeating: 7, count: 20)
  let written = message.datagram { covered in
    FuzzInput.require(covered.count % 4 == 0, "what is signed is whole words")
    return code
  }
  guard let again = STUNMessage(written.span) else {
    fatalError("Broken: a message that was written can be read")
  }
  FuzzInput.require(again == message && again.hasFingerprint, "a message says the same again")
  FuzzInput.require(again.integrity?.code == code, "and is signed")
  return 0
}
