import ServiceHost

extension RESTOperation {
  /// The name of an operation, as metrics, logs and errors show it.
  ///
  /// A label of metrics that is no enum: its values are the names in the table, so their number is
  /// bounded when the code is written.
  struct Name: MetricLabel {
    static let labelName = "operation"
    static var allCases: [Name] { table.map(\.name) + [.unknown] }

    /// The request names no operation that there is.
    static let unknown = Name("Unknown")

    let labelValue: String

    init(_ text: StaticString) { labelValue = "\(text)" }
  }
}
