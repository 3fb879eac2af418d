/// What libFuzzer hands to a target, and what a target says of it.
enum FuzzInput {
  /// A copy of the bytes, so that reading past their end is seen.
  static func bytes(_ data: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    unsafe [UInt8](UnsafeBufferPointer(start: data, count: count))
  }

  /// Stops the process, which is how a finding is reported.
  static func require(_ isTrue: Bool, _ rule: @autoclosure () -> String) {
    guard isTrue else { fatalError("Broken: \(rule())") }
  }
}
