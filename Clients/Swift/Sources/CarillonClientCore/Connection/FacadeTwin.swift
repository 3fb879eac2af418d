// Each enum of the facade has a counterpart in the model, which has the same raw values. Generated
// code converts between the model's enum and the wire.

extension RawRepresentable where RawValue == Int32 {
  /// Returns the corresponding value of a public enum of this library; `nil` if there is none.
  func inFacade<Twin: RawRepresentable>(as twin: Twin.Type = Twin.self) -> Twin?
  where Twin.RawValue == Int {
    Twin(rawValue: Int(rawValue))
  }
}

extension RawRepresentable where RawValue == Int {
  /// Returns the corresponding value of an enum of `MeetingModel`; `nil` if there is none.
  func inModel<Twin: RawRepresentable>(as twin: Twin.Type = Twin.self) -> Twin?
  where Twin.RawValue == Int32 {
    Int32(exactly: rawValue).flatMap { Twin(rawValue: $0) }
  }
}
