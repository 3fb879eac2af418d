import SwiftProtobufPluginLibrary

/// Writes the conversions between enums of the contract and their counterparts in MeetingModel.
struct ModelEnumWriter {
  let contract: ProtoPackage

  func write(to source: inout SwiftSourceBuilder) throws(GenerationError) {
    let enums = contract.files.flatMap(\.enums)
    for name in ModelEnums.twins.keys.sorted() where !enums.contains(where: { $0.name == name }) {
      throw .noEnum(name)
    }
    source.line("public import MeetingModel")
    source.line()
    for descriptor in enums {
      guard let unspecified = ModelEnums.twins[descriptor.name] else { continue }
      write(descriptor, unspecified, to: &source)
    }
  }

  private func write(
    _ descriptor: EnumDescriptor, _ unspecified: ModelEnums.Unspecified,
    to source: inout SwiftSourceBuilder
  ) {
    let wire = contract.swiftName(descriptor.fullName)
    let model = "MeetingModel.\(descriptor.name)"
    var cases = descriptor.values.map { SwiftNames.enumCase($0.name, of: descriptor.name) }
    var absent: [String] = []
    var zero: String?
    switch unspecified {
    case .ordinary: break
    case .missing: absent = ["unspecified"]
    case .same(let name): (absent, zero) = (["unspecified"], name)
    }
    cases.removeAll { absent.contains($0) }
    source.block("extension \(wire) {") { source in
      source.line("/// The value of the model as it travels.")
      source.block("public init(_ value: \(model)) {") { source in
        source.block("self = switch value {") { source in
          for name in cases { source.label("case .\(name): .\(name)") }
        }
      }
    }
    source.line()
    source.block("extension \(model) {") { source in
      source.line("/// The value that arrived.")
      source.line("///")
      if let zero {
        source.line("/// `unspecified` is read as `\(zero)`.")
        source.line("///")
      }
      let nothing = zero == nil && !absent.isEmpty ? "`unspecified` and for a number" : "a number"
      source.line("/// - Returns: `nil` for \(nothing) that this version does not know.")
      source.block("public init?(_ value: \(wire)) {") { source in
        source.block("switch value {") { source in
          for name in cases { source.label("case .\(name): self = .\(name)") }
          if let zero { source.label("case .unspecified: self = .\(zero)") }
          if zero == nil, !absent.isEmpty { source.label("case .unspecified: return nil") }
          source.label("case .unrecognized: return nil")
        }
      }
    }
    source.line()
  }
}
