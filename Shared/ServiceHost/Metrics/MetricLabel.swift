/// The labels that distinguish the series of one metric.
///
/// Labels are enums, so the compiler limits the number of series. An identifier is never a label.
public protocol MetricLabels: Hashable, Sendable {
  /// The name and value of each label, in the order in which `/metrics` contains the labels.
  var pairs: [(name: String, value: String)] { get }
}

/// One label: an enum whose cases are all possible values of the label.
///
/// ```swift
/// enum Direction: String, MetricLabel {
///   static let labelName = "direction"
///   case sent, received
/// }
/// ```
public protocol MetricLabel: MetricLabels, CaseIterable {
  /// The label's name, `[a-zA-Z_][a-zA-Z0-9_]*`, which is the same for all cases.
  static var labelName: String { get }
  /// The case's name in metrics; by default the raw value, if the raw value is text.
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
  /// The first label.
  public let first: First

  /// The second label.
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
