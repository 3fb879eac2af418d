import Foundation
import MeetingModel

extension DisplayName {
  /// Takes a name as somebody typed it, and brings it into normalization form C.
  ///
  /// - Throws: `ModelError` with the rule that the name breaks.
  init(typed text: String) throws(ModelError) {
    try self.init(typed: text, composing: \.precomposedStringWithCanonicalMapping)
  }
}
