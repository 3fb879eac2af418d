/// Comparisons whose duration does not tell where two secrets differ.
public enum ConstantTime {
  /// Whether both hold the same bytes. The time depends on the lengths only, which are no secret.
  public static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
  }
}
