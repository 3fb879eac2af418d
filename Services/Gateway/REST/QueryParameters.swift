/// The decoded parameters of a query.
struct QueryParameters {
  private let values: [String: [String]]

  /// - Throws: `BadRequestException` for an invalid escape.
  init(_ query: String) throws(RESTError) {
    var values: [String: [String]] = [:]
    for part in query.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentDecoding.decode(pair[0]),
        let value = PercentDecoding.decode(pair.count > 1 ? pair[1] : "")
      else { throw RESTError(.badRequest, "The query is not percent-encoded UTF-8.") }
      values[name, default: []].append(value)
    }
    self.values = values
  }

  /// Returns all values of a parameter, in order.
  subscript(name: String) -> [String] { values[name] ?? [] }

  /// Returns the value of a parameter that may appear at most once.
  ///
  /// - Throws: `BadRequestException` if the parameter appears several times.
  func single(_ name: String) throws(RESTError) -> String? {
    let found = self[name]
    guard found.count <= 1 else {
      throw RESTError(
        .badRequest, "The query contains the parameter \(name) more than once. Send it once.")
    }
    return found.first
  }

  // MARK: Numbers

  /// Returns the maximum number of entries of a page, from the parameter `max-results`.
  ///
  /// - Parameter most: The highest valid value, and the default.
  /// - Throws: `BadRequestException` unless the value is a number from 1 to `most`.
  func pageSize(most: Int = 100) throws(RESTError) -> Int {
    guard let text = try single("max-results") else { return most }
    guard let number = Self.number(text, digits: 4), (1...Int64(most)).contains(number) else {
      throw RESTError(.badRequest, "max-results must be a whole number from 1 to \(most).")
    }
    return Int(number)
  }

  /// Returns the number in a parameter; 0 if the query does not contain the parameter.
  ///
  /// - Throws: `BadRequestException` unless the value is a number with at most 18 digits.
  func sequence(_ name: String) throws(RESTError) -> Int64 {
    guard let text = try single(name) else { return 0 }
    guard let number = Self.number(text, digits: 18) else {
      throw RESTError(.badRequest, "\(name) must be a whole number.")
    }
    return number
  }

  /// Parses a number without a sign; returns `nil` for any other text.
  private static func number(_ text: String, digits: Int) -> Int64? {
    guard (1...digits).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int64(text)
  }
}
