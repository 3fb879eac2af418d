import Wire

/// Fuzzes session events as a client receives them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe FuzzInput.bytes(data, count)
  guard let batch = unsafe ReencodingCheck.check(V1.SessionEvents.self, bytes.span.bytes) else {
    return 0
  }
  let packed = batch.packed()
  guard let twice = try? V1.SessionEvents(packed: packed + packed) else {
    fatalError("Broken: two batches in one are a batch")
  }
  let longer = V1.SessionEvents(
    events: batch.events + batch.events, positions: batch.positions + batch.positions)
  FuzzInput.require(
    twice.packed() == longer.packed(), "two batches in one are the batch of both lists")
  return 0
}
