import Foundation
import MeetingModel

extension DisplayName {
  /// Creates a name from typed text, in Unicode normalization form C.
  ///
  /// - Throws: `InvalidModelValue`, whose message contains the rule that the name violates.
  init(typed text: String) throws(InvalidModelValue) {
    try self.init(typed: text, composing: \.precomposedStringWithCanonicalMapping)
  }
}
