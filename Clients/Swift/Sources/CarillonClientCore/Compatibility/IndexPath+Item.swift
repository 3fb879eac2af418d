public import Foundation

/// What Apple's frameworks for user interfaces add to the path of an item in a list.
extension IndexPath {
  /// The path of an item of a section.
  public init(item: Int, section: Int) {
    self.init(indexes: [section, item])
  }

  /// The section, the first of two indices.
  public var section: Int { self[0] }

  /// The item in its section, the second of two indices.
  public var item: Int { self[1] }
}
