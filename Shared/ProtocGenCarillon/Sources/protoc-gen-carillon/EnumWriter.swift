import SwiftProtobufPluginLibrary

/// Writes one enum of the contract as a Swift enum that can also contain unknown numbers.
struct EnumWriter {
  private let descriptor: EnumDescriptor
  private let cases: [(name: String, value: EnumValueDescriptor)]

  init(_ descriptor: EnumDescriptor) throws(GenerationError) {
    self.descriptor = descriptor
    cases = descriptor.values.map {
      (SwiftNames.enumCase($0.name, of: descriptor.name), $0)
    }
    var names: Set = ["unrecognized", "allCases", "rawValue"]
    var numbers: Set<Int32> = []
    for (name, value) in cases {
      guard names.insert(name).inserted else { throw .nameClash(name, in: descriptor.fullName) }
      guard numbers.insert(value.number).inserted else {
        throw .unsupported(descriptor.fullName, what: "aliases are not generated.")
      }
    }
  }

  func write(to source: inout SwiftSourceBuilder) {
    source.doc(descriptor, fallback: "`\(descriptor.fullName)`.")
    source.block("public enum \(SwiftNames.type(descriptor.name)): WireEnum {") { source in
      for (name, value) in cases {
        source.doc(value)
        source.line("case \(name)")
      }
      source.line("/// A number this version of the contract does not know.")
      source.line("case unrecognized(Int32)")
      source.line()
      source.line("public static let allCases: [Self] = [")
      for (name, _) in cases { source.line("  .\(name),") }
      source.line("]")
      source.line()
      source.line("public init() { self = .\(cases[0].name) }")
      source.line()
      source.block("public init(rawValue: Int32) {") { source in
        source.block("self = switch rawValue {") { source in
          for (name, value) in cases { source.label("case \(value.number): .\(name)") }
          source.label("default: .unrecognized(rawValue)")
        }
      }
      source.line()
      source.block("public var rawValue: Int32 {") { source in
        source.block("switch self {") { source in
          for (name, value) in cases { source.label("case .\(name): \(value.number)") }
          source.label("case .unrecognized(let number): number")
        }
      }
    }
  }
}
