/// Comparisons whose duration does not reveal where two secrets differ.
public enum ConstantTime {
  /// Returns whether both arrays have the same bytes. The running time depends only on the arrays'
  /// lengths, which are not secret.
  public static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
  }
}
