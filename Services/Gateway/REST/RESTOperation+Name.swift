import ServiceHost

extension RESTOperation {
  /// The name of an operation in metrics, logs and errors.
  ///
  /// The type is a label of metrics, but not an enumeration. Its values are the names in the table,
  /// so the number of values is constant.
  struct Name: MetricLabel {
    static let labelName = "operation"
    static var allCases: [Name] { table.map(\.name) + [.unknown] }

    /// The name for a request that matches no operation.
    static let unknown = Name("Unknown")

    let labelValue: String

    init(_ text: StaticString) { labelValue = "\(text)" }
  }
}
