internal import SwiftProtobuf
import SwiftProtobufPluginLibrary

/// One field of a message: its Swift property, and its conversion to and from protobuf-c's struct.
struct ProtoField {
  private enum Kind {
    case scalar
    case flag
    case text
    case bytes
    case enumeration(c: String)
    case message
  }

  let descriptor: FieldDescriptor
  /// The Swift property or case, escaped.
  let name: String
  /// The Swift type of one element, fully qualified.
  let element: String
  /// The member of the C struct, escaped for Swift.
  let cName: String
  private let kind: Kind
  /// The form in which the message stores the field; `nil` for the ordinary form.
  let inPlace: InPlaceField?

  /// Whether the field is an `optional` of proto2. Such a field distinguishes a missing value from
  /// a default value. The value is `false` for messages and oneofs.
  private var isOptional: Bool {
    descriptor.hasPresence && !descriptor.isRequired && descriptor.messageType == nil
      && descriptor.realContainingOneof == nil
  }

  /// The type of the property.
  var type: String {
    if descriptor.isRepeated { return "[\(element)]" }
    if case .message = kind { return element + "?" }
    return isOptional ? element + "?" : element
  }

  /// The value of the property in a new message.
  var defaultValue: String {
    if descriptor.isRepeated { return "[]" }
    if isOptional { return "nil" }
    return switch kind {
    case .scalar: "0"
    case .flag: "false"
    case .text: "\"\""
    case .bytes: "[]"
    case .enumeration: ".init()"
    case .message: "nil"
    }
  }

  init(_ descriptor: FieldDescriptor, in contract: ProtoPackage) throws(GenerationError) {
    self.descriptor = descriptor
    name = SwiftNames.property(descriptor.name)
    cName = ProtobufCNames.field(descriptor.name)
    inPlace = try InPlaceField(descriptor, name: name, cName: cName)
    switch descriptor.type {
    case .double: (element, kind) = ("Double", .scalar)
    case .float: (element, kind) = ("Float", .scalar)
    case .int32, .sint32, .sfixed32: (element, kind) = ("Int32", .scalar)
    case .int64, .sint64, .sfixed64: (element, kind) = ("Int64", .scalar)
    case .uint32, .fixed32: (element, kind) = ("UInt32", .scalar)
    case .uint64, .fixed64: (element, kind) = ("UInt64", .scalar)
    case .bool: (element, kind) = ("Bool", .flag)
    case .string: (element, kind) = ("String", .text)
    case .bytes: (element, kind) = ("[UInt8]", .bytes)
    case .enum:
      let full = descriptor.enumType.fullName
      (element, kind) = (contract.swiftName(full), .enumeration(c: ProtobufCNames.type(full)))
    case .message:
      (element, kind) = (contract.swiftName(descriptor.messageType.fullName), .message)
    case .group:
      throw .unsupported(descriptor.fullName, what: "groups are not generated.")
    }
  }

  /// Statements that put `value` into the C struct `c`.
  func fill(from value: String) -> [String] {
    let member = "c.pointee.\(cName)"
    if descriptor.isRepeated {
      let helper =
        switch kind {
        case .scalar: "scalars"
        case .flag: "flags"
        case .text: "texts"
        case .bytes: "blobs"
        case .enumeration: "enums"
        case .message: "messages"
        }
      return [
        "unsafe c.pointee.\(ProtobufCNames.count(descriptor.name)) = \(value).count",
        "unsafe \(member) = arena.\(helper)(\(value))",
      ]
    }
    let content = isOptional ? "value" : value
    let converted =
      switch kind {
      case .scalar: content
      case .flag: "\(content) ? 1 : 0"
      case .text: "arena.text(\(content))"
      case .bytes: "arena.blob(\(content))"
      case .enumeration(let c):
        "\(c)(rawValue: .init(truncatingIfNeeded: \(content).rawValue))"
      case .message: "arena.message(\(value))"
      }
    let assignment = "unsafe \(member) = \(converted)"
    guard isOptional else { return [assignment] }
    let isThere = flag.map { ["  unsafe c.pointee.\($0) = 1"] } ?? []
    return ["if let value = \(value) {"] + isThere + ["  \(assignment)", "}"]
  }

  /// The expression that copies the field out of the C struct `c` and validates the value.
  var copy: String {
    let member = "c.pointee.\(cName)"
    if descriptor.isRepeated {
      let both = "c.pointee.\(ProtobufCNames.count(descriptor.name)), \(member)"
      return switch kind {
      case .scalar: "unsafe MessageUnpacker.scalars(\(both))"
      case .flag: "unsafe MessageUnpacker.flags(\(both))"
      case .text: "try unsafe MessageUnpacker.texts(\(both), \"\(descriptor.fullName)\")"
      case .bytes: "unsafe MessageUnpacker.blobs(\(both))"
      case .enumeration: "unsafe MessageUnpacker.enums(\(both))"
      case .message: "try unsafe MessageUnpacker.messages(\(both))"
      }
    }
    if isOptional { return optionalCopy(of: member) }
    return switch kind {
    case .scalar: "unsafe \(member)"
    case .flag: "unsafe \(member) != 0"
    case .text: "try unsafe MessageUnpacker.text(\(member), \"\(descriptor.fullName)\")"
    case .bytes: "unsafe MessageUnpacker.blob(\(member))"
    case .enumeration:
      "unsafe .init(rawValue: Int32(truncatingIfNeeded: \(member).rawValue))"
    case .message:
      descriptor.realContainingOneof == nil
        ? "try unsafe MessageUnpacker.message(\(member))"
        : "try unsafe MessageUnpacker.chosenMessage(\(member))"
    }
  }

  /// The C struct's member that states whether an optional field has a value; `nil` for a text,
  /// because a text without a value is `NULL`.
  private var flag: String? {
    if case .text = kind { return nil }
    return ProtobufCNames.presence(descriptor.name)
  }

  private func optionalCopy(of member: String) -> String {
    guard let flag else {
      return "try unsafe MessageUnpacker.optionalText(\(member), \"\(descriptor.fullName)\")"
    }
    let content =
      switch kind {
      case .flag: "\(member) != 0"
      case .bytes: "MessageUnpacker.blob(\(member))"
      case .enumeration: ".init(rawValue: Int32(truncatingIfNeeded: \(member).rawValue))"
      case .scalar, .text, .message: member
      }
    return "unsafe c.pointee.\(flag) == 0 ? nil : \(content)"
  }
}
