// Enums of the facade have twins in the model, with the facade's numbers; what travels is converted
// to and from the twin by generated code.

extension RawRepresentable where RawValue == Int32 {
  /// The twin in the facade; `nil` if it has none.
  func inFacade<Twin: RawRepresentable>(as twin: Twin.Type = Twin.self) -> Twin?
  where Twin.RawValue == Int {
    Twin(rawValue: Int(rawValue))
  }
}

extension RawRepresentable where RawValue == Int {
  /// The twin in the model; `nil` if it has none.
  func inModel<Twin: RawRepresentable>(as twin: Twin.Type = Twin.self) -> Twin?
  where Twin.RawValue == Int32 {
    Int32(exactly: rawValue).flatMap { Twin(rawValue: $0) }
  }
}
