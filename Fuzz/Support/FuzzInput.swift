/// The input of a target and the report of a finding.
enum FuzzInput {
  /// Copies the bytes, so that the sanitizer detects a read past the end of the bytes.
  static func bytes(_ data: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    unsafe [UInt8](UnsafeBufferPointer(start: data, count: count))
  }

  /// Stops the process if a rule is broken. libFuzzer reports the stop as a finding.
  static func require(_ isTrue: Bool, _ rule: @autoclosure () -> String) {
    guard isTrue else { fatalError("Broken: \(rule())") }
  }
}
