public import Foundation

extension Dictionary where Key == AnyHashable, Value == Any {
  /// A JSON object whose keys and values are the texts of these, in the order of the keys; the
  /// empty string if there is none.
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
  /// Does what the function of the same name of `Dictionary` does.
  public func toJsonString() -> String {
    var dictionary: [AnyHashable: Any] = [:]
    for (key, value) in self {
      guard let key = key as? AnyHashable else { return "" }
      dictionary[key] = value
    }
    return dictionary.toJsonString()
  }
}
