public import Foundation

extension Dictionary where Key == AnyHashable, Value == Any {
  /// Returns a JSON object with the keys and values as strings, sorted by key; the empty string if
  /// the conversion fails.
  public func toJsonString() -> String {
    var texts: [String: String] = [:]
    for (key, value) in self {
      texts[String(describing: key.base)] = String(describing: value)
    }
    let options: JSONSerialization.WritingOptions = [.sortedKeys]
    guard let json = try? JSONSerialization.data(withJSONObject: texts, options: options) else {
      return ""
    }
    return String(decoding: json, as: UTF8.self)
  }
}

extension NSDictionary {
  /// Returns the text that `Dictionary.toJsonString()` returns for the same keys and values.
  public func toJsonString() -> String {
    var dictionary: [AnyHashable: Any] = [:]
    for (key, value) in self {
      guard let key = key as? AnyHashable else { return "" }
      dictionary[key] = value
    }
    return dictionary.toJsonString()
  }
}
