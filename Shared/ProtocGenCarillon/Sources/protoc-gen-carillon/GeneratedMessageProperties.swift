import SwiftProtobufPluginLibrary

/// The properties of a message in Swift, in the order of the contract.
struct GeneratedMessageProperties {
  enum Property {
    case field(ProtoField)
    case oneof(Oneof)
  }

  struct Oneof {
    let descriptor: OneofDescriptor
    /// The property, escaped.
    let name: String
    /// The enum nested in the message.
    let typeName: String
    let fields: [ProtoField]
  }

  let descriptor: Descriptor
  let properties: [Property]

  init(_ message: Descriptor, in contract: ProtoPackage) throws(GenerationError) {
    descriptor = message
    var properties: [Property] = []
    for descriptor in message.fields {
      let field = try ProtoField(descriptor, in: contract)
      guard let oneof = descriptor.realContainingOneof else {
        properties.append(.field(field))
        continue
      }
      guard oneof.fields.first?.number == descriptor.number else { continue }
      var fields: [ProtoField] = []
      for field in oneof.fields { fields.append(try ProtoField(field, in: contract)) }
      properties.append(.oneof(Self.oneof(oneof, fields, in: message)))
    }
    self.properties = properties
    try checkNames()
  }

  private static func oneof(
    _ descriptor: OneofDescriptor, _ fields: [ProtoField], in message: Descriptor
  ) -> Oneof {
    let camel = SwiftNames.upperCamel(descriptor.name)
    let nested = message.messages.map(\.name) + message.enums.map(\.name)
    return Oneof(
      descriptor: descriptor, name: SwiftNames.property(descriptor.name),
      typeName: nested.contains(camel) ? camel + "Choice" : camel, fields: fields)
  }

  private func checkNames() throws(GenerationError) {
    var names: Set<String> = []
    for property in properties {
      let all =
        switch property {
        case .field(let field): [field.name] + (field.inPlace.map { [$0.name] } ?? [])
        // For a oneof with a single field, the message has two properties: one for the oneof, and
        // one for the field.
        case .oneof(let oneof):
          oneof.fields.count == 1 ? [oneof.name, oneof.fields[0].name] : [oneof.name]
        }
      for name in all where !names.insert(name).inserted {
        throw .nameClash(name, in: descriptor.fullName)
      }
      guard case .oneof(let oneof) = property else { continue }
      guard Set(oneof.fields.map(\.name)).count == oneof.fields.count else {
        throw .nameClash("a case of \(oneof.name)", in: descriptor.fullName)
      }
    }
  }
}
