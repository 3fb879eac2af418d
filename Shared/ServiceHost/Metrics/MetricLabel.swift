/// The labels that tell the series of one metric apart.
///
/// Made of enums, so that the number of series is bounded when the code is written: an identifier
/// is never a label.
public protocol MetricLabels: Hashable, Sendable {
  /// Name and value of each label, in the order they are shown.
  var pairs: [(name: String, value: String)] { get }
}

/// One label: an enum whose cases are all the values it can have.
///
/// ```swift
/// enum Direction: String, MetricLabel {
///   static let labelName = "direction"
///   case sent, received
/// }
/// ```
public protocol MetricLabel: MetricLabels, CaseIterable {
  /// The label's name, `[a-zA-Z_][a-zA-Z0-9_]*`, the same for all cases.
  static var labelName: String { get }
  /// What the case is called in metrics; the raw value if that is text.
  var labelValue: String { get }
}

extension MetricLabel {
  public var pairs: [(name: String, value: String)] {
    [(Self.labelName, labelValue)]
  }
}

extension MetricLabel where Self: RawRepresentable, RawValue == String {
  public var labelValue: String { rawValue }
}

/// Two labels on one metric, such as a request's method and its status.
public struct LabelPair<First: MetricLabel, Second: MetricLabel>: MetricLabels {
  /// The label that is shown first.
  public let first: First

  /// The label that is shown behind it.
  public let second: Second

  /// Joins two labels of different names.
  public init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  public var pairs: [(name: String, value: String)] {
    first.pairs + second.pairs
  }
}
