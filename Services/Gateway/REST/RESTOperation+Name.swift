import ServiceHost

extension RESTOperation {
  /// The name of an operation, as metrics, logs and errors show it.
  ///
  /// A metrics label that is no enum. Its values are the names in the table, so their number is
  /// fixed at compile time.
  struct Name: MetricLabel {
    static let labelName = "operation"
    static var allCases: [Name] { table.map(\.name) + [.unknown] }

    /// The name for a request that matches no operation.
    static let unknown = Name("Unknown")

    let labelValue: String

    init(_ text: StaticString) { labelValue = "\(text)" }
  }
}
