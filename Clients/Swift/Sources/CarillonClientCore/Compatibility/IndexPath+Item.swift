public import Foundation

/// Members that Apple's user interface frameworks add to index paths.
extension IndexPath {
  /// Creates the path of an item in a section.
  public init(item: Int, section: Int) {
    self.init(indexes: [section, item])
  }

  /// The index of the section, the first of two indices.
  public var section: Int { self[0] }

  /// The index of the item in its section, the second of two indices.
  public var item: Int { self[1] }
}
