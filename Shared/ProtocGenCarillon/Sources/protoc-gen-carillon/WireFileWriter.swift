import SwiftProtobufPluginLibrary

/// Writes `<file>.wire.swift`: the values and method descriptors of one file of the contract.
struct WireFileWriter {
  let contract: ProtoPackage

  func write(_ file: FileDescriptor, to source: inout SwiftSourceBuilder) throws(GenerationError) {
    if !file.messages.isEmpty {
      source.line("internal import CCarillonWire")
      source.line()
    }
    let messages = file.messages.flatMap(ProtoPackage.flatten)
    for enumeration in file.enums { try write(enumeration, to: &source) }
    for message in messages {
      let shape = try GeneratedMessageProperties(message, in: contract)
      MessageCodeWriter(contract: contract, shape: shape).write(to: &source)
      for enumeration in message.enums { try write(enumeration, to: &source) }
    }
    for service in file.services { try write(service, to: &source) }
  }

  private func write(
    _ enumeration: EnumDescriptor, to source: inout SwiftSourceBuilder
  ) throws(GenerationError) {
    let scope = enumeration.containingType.map { contract.swiftName($0.fullName) }
    let writer = try EnumWriter(enumeration)
    source.block("extension \(scope ?? contract.namespace) {") { writer.write(to: &$0) }
    source.line()
  }

  private func write(_ service: ServiceDescriptor, to source: inout SwiftSourceBuilder)
    throws(GenerationError)
  {
    let methods = service.methods
    var names: Set = ["methods"]
    for method in methods {
      let name = SwiftNames.lowerFirst(method.name)
      guard names.insert(name).inserted else { throw .nameClash(name, in: service.fullName) }
    }
    source.block("extension \(contract.namespace) {") { source in
      source.line("/// The methods of `service \(service.name)`.")
      source.line("///")
      source.doc(service, fallback: "Wire name `\(service.fullName)`.")
      source.block("public enum \(service.name)Methods {") { source in
        for method in methods {
          source.doc(method)
          let kind = method.serverStreaming ? "StreamMethod" : "UnaryMethod"
          let types =
            "\(contract.swiftName(method.inputType.fullName)), "
            + contract.swiftName(method.outputType.fullName)
          let name = SwiftNames.escaped(SwiftNames.lowerFirst(method.name))
          let digits = String(method.key, radix: 16)
          let key = "0x" + String(repeating: "0", count: 8 - digits.count) + digits
          source.line("public static let \(name) = \(kind)<\(types)>(")
          source.line("  key: \(key), name: \"\(method.wireName)\")")
          source.line()
        }
        source.line("/// All of them, in the order of the contract.")
        source.block("public static let methods: [MethodDescription] = [", closing: "]") { source in
          for method in methods {
            source.line("\(SwiftNames.escaped(SwiftNames.lowerFirst(method.name))).description,")
          }
        }
      }
    }
    source.line()
  }
}
