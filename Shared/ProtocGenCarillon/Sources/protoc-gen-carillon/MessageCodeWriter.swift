import SwiftProtobufPluginLibrary

/// Writes one message: the public value, and its conversion to and from protobuf-c's struct.
struct MessageCodeWriter {
  let contract: ProtoPackage
  let shape: GeneratedMessageProperties

  private var swiftName: String { contract.swiftName(shape.descriptor.fullName) }

  func write(to source: inout SwiftSourceBuilder) {
    let scope = shape.descriptor.containingType.map { contract.swiftName($0.fullName) }
    source.block("extension \(scope ?? contract.namespace) {") { source in
      source.doc(shape.descriptor, fallback: "`\(shape.descriptor.fullName)`.")
      source.block("public struct \(shape.descriptor.name): WireMessage {") { source in
        source.line("public static let protoName = \"\(shape.descriptor.fullName)\"")
        source.line()
        for property in shape.properties { writeDeclaration(of: property, to: &source) }
        writeInitialisers(to: &source)
      }
    }
    source.line()
    writeConversion(to: &source)
  }

  // MARK: The value

  private func writeDeclaration(
    of property: GeneratedMessageProperties.Property, to source: inout SwiftSourceBuilder
  ) {
    switch property {
    case .field(let field):
      source.doc(field.descriptor)
      if let inPlace = field.inPlace {
        writeDeclaration(of: field, inPlace, to: &source)
      } else {
        source.line("public var \(field.name): \(field.type) = \(field.defaultValue)")
      }
    case .oneof(let oneof):
      source.doc(oneof.descriptor)
      source.line("public var \(oneof.name): \(oneof.typeName)?")
    }
    source.line()
  }

  private func writeDeclaration(
    of field: ProtoField, _ inPlace: InPlaceField, to source: inout SwiftSourceBuilder
  ) {
    source.block("public var \(field.name): \(field.type) {") { source in
      source.line("get { \(inPlace.getter) }")
      source.line("set { \(inPlace.setter) }")
    }
    source.line()
    source.line("/// The same as it is kept, which costs no memory beside the message.")
    source.line("public var \(inPlace.name) = \(inPlace.type)()")
  }

  private func writeInitialisers(to source: inout SwiftSourceBuilder) {
    source.line("public init() {}")
    source.line()
    if !shape.properties.isEmpty {
      source.line("public init(")
      for (index, property) in shape.properties.enumerated() {
        let comma = index == shape.properties.count - 1 ? "" : ","
        source.line("  \(parameter(for: property))\(comma)")
      }
      source.block(") {") { source in
        for property in shape.properties {
          source.line("self.\(name(of: property)) = \(name(of: property))")
        }
      }
      source.line()
    }
    source.block("public init(packed bytes: RawSpan, limits: WireLimits) throws(WireError) {") {
      $0.line("self = try unsafe MessageUnpacker.value(bytes, limits)")
    }
    source.line()
    source.block("public func prepare(in arena: borrowing WireArena) -> ArenaMessage {") {
      $0.line("unsafe arena.prepare(self)")
    }
    for case .oneof(let oneof) in shape.properties {
      source.line()
      writeChoices(of: oneof, to: &source)
    }
  }

  private func writeChoices(
    of oneof: GeneratedMessageProperties.Oneof, to source: inout SwiftSourceBuilder
  ) {
    source.doc(oneof.descriptor, fallback: "One of the fields of `\(oneof.descriptor.name)`.")
    source.block("public enum \(oneof.typeName): Sendable, Hashable {") { source in
      for field in oneof.fields {
        source.doc(field.descriptor)
        source.line("case \(field.name)(\(field.element))")
      }
    }
    guard oneof.fields.count == 1, let only = oneof.fields.first else { return }
    source.line()
    source.doc(only.descriptor)
    source.block("public var \(only.name): \(only.element)? {") { source in
      source.block("get {") { source in
        source.line("guard case .\(only.name)(let value)? = self.\(oneof.name) else { return nil }")
        source.line("return value")
      }
      source.line("set { self.\(oneof.name) = newValue.map { .\(only.name)($0) } }")
    }
  }

  private func name(of property: GeneratedMessageProperties.Property) -> String {
    switch property {
    case .field(let field): field.name
    case .oneof(let oneof): oneof.name
    }
  }

  private func parameter(for property: GeneratedMessageProperties.Property) -> String {
    switch property {
    case .field(let field): "\(field.name): \(field.type) = \(field.defaultValue)"
    case .oneof(let oneof): "\(oneof.name): \(oneof.typeName)? = nil"
    }
  }

  // MARK: The conversion

  private func writeConversion(to source: inout SwiftSourceBuilder) {
    let cType = ProtobufCNames.type(shape.descriptor.fullName)
    source.block("extension \(swiftName): @unsafe CMessage {") { source in
      source.line("typealias CStruct = \(cType)")
      source.line()
      source.block("static func initialize(_ c: UnsafeMutablePointer<CStruct>) {") {
        $0.line("unsafe \(ProtobufCNames.initializer(shape.descriptor.fullName))(c)")
      }
      source.line()
      source.block("init(copying c: UnsafePointer<CStruct>) throws(WireError) {") { source in
        for property in shape.properties { writeCopy(of: property, to: &source) }
      }
      source.line()
      source.block(
        "func fill(_ c: UnsafeMutablePointer<CStruct>, in arena: borrowing WireArena) {"
      ) { source in
        for property in shape.properties { writeFill(of: property, to: &source) }
      }
    }
    source.line()
  }

  private func writeCopy(
    of property: GeneratedMessageProperties.Property, to source: inout SwiftSourceBuilder
  ) {
    switch property {
    case .field(let field):
      if let inPlace = field.inPlace {
        source.line("self.\(inPlace.name) = \(inPlace.copy)")
      } else {
        source.line("self.\(field.name) = \(field.copy)")
      }
    case .oneof(let oneof):
      let tag = "c.pointee.\(ProtobufCNames.oneofCase(oneof.descriptor.name)).rawValue"
      source.block("switch unsafe \(tag) {") { source in
        for field in oneof.fields {
          source.label("case \(field.descriptor.number):")
          source.line("self.\(oneof.name) = .\(field.name)(\(field.copy))")
        }
        source.label("default: break")
      }
    }
  }

  private func writeFill(
    of property: GeneratedMessageProperties.Property, to source: inout SwiftSourceBuilder
  ) {
    switch property {
    case .field(let field):
      let lines = field.inPlace?.fill ?? field.fill(from: "self.\(field.name)")
      for line in lines { source.line(line) }
    case .oneof(let oneof):
      let tag = "c.pointee.\(ProtobufCNames.oneofCase(oneof.descriptor.name))"
      source.block("switch self.\(oneof.name) {") { source in
        for field in oneof.fields {
          source.label("case .\(field.name)(let value)?:")
          source.line("unsafe \(tag) = .init(rawValue: \(field.descriptor.number))")
          for line in field.fill(from: "value") { source.line(line) }
        }
        source.label("case nil: break")
      }
    }
  }
}
