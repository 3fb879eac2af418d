internal import SwiftProtobuf
import SwiftProtobufPluginLibrary

/// All files of one package, checked for the properties that the generated code relies on.
///
/// A package of Carillon uses proto3 and has a version. A package with a foreign schema uses
/// proto2, where every field has presence.
struct ProtoPackage {
  let files: [FileDescriptor]
  /// The package, for example `carillon.v1`.
  let package: String
  /// The Swift name of the package: its last word, capitalised, for example `V1`.
  let namespace: String
  /// Whether the package is Carillon's own schema rather than a foreign schema.
  let isOurs: Bool

  /// Every message, in the order of the files. A nested message follows the message that contains
  /// it.
  var messages: [Descriptor] { files.flatMap { $0.messages.flatMap(Self.flatten) } }

  var services: [ServiceDescriptor] { files.flatMap(\.services) }

  init(files: [FileDescriptor]) throws(GenerationError) {
    self.files = files
    package = files.first?.package ?? ""
    let word = package.split(separator: ".").last.map(String.init) ?? ""
    isOurs = files.allSatisfy { $0.edition == .proto3 }
    guard !isOurs || (word.first == "v" && Int(word.dropFirst()) != nil) else {
      throw .unversionedPackage(package)
    }
    namespace = word.capitalizedFirst
    for file in files {
      guard file.package == package else { throw .mixedPackages(package, file.package) }
      guard file.edition == .proto3 || file.edition == .proto2 else {
        throw .unsupported(file.name, what: "only proto2 and proto3 are generated.")
      }
      guard file.edition == .proto3 || file.services.isEmpty else {
        throw .unsupported(file.name, what: "services are generated of proto3 only.")
      }
      guard file.extensions.isEmpty else {
        throw .unsupported(file.name, what: "extensions are not generated.")
      }
    }
    for message in messages {
      try check(message)
      try checkDepth(of: message, path: [])
    }
    try checkKeys()
  }

  /// Returns the full Swift name of a message or enum, for example `V1.JoinRequest.Inner`.
  func swiftName(_ fullName: String) -> String {
    let path = fullName.dropFirst(package.count + 1).split(separator: ".")
    return ([namespace] + path.map { SwiftNames.type(String($0)) }).joined(separator: ".")
  }

  static func flatten(_ message: Descriptor) -> [Descriptor] {
    [message] + message.messages.flatMap(flatten)
  }

  private func check(_ message: Descriptor) throws(GenerationError) {
    guard message.messageExtensionRanges.isEmpty, message.extensions.isEmpty else {
      throw .unsupported(message.fullName, what: "extensions are not generated.")
    }
    for field in message.fields {
      guard !field.isMap else {
        throw .unsupported(field.fullName, what: "maps are not generated; use a repeated message.")
      }
      let type: (name: String, file: String)? =
        if let message = field.messageType {
          (message.fullName, message.file.name)
        } else if let enumeration = field.enumType {
          (enumeration.fullName, enumeration.file.name)
        } else {
          nil
        }
      if let type, !files.contains(where: { $0.name == type.file }) {
        throw .foreignType(type.name, in: field.fullName)
      }
    }
  }

  private func checkDepth(of message: Descriptor, path: [String]) throws(GenerationError) {
    let path = path + [message.fullName]
    guard !path.dropLast().contains(message.fullName) else { throw .recursive(path) }
    for field in message.fields {
      guard let inner = field.messageType else { continue }
      try checkDepth(of: inner, path: path)
    }
  }

  private func checkKeys() throws(GenerationError) {
    var names: [UInt32: String] = [:]
    for method in services.flatMap(\.methods) {
      guard !method.clientStreaming else {
        throw .unsupported(method.fullName, what: "client streaming is not part of the wire.")
      }
      let key = method.key
      guard key != 0 else { throw .keyZero(method.wireName) }
      if let other = names.updateValue(method.wireName, forKey: key) {
        throw .keyClash(other, method.wireName)
      }
    }
  }
}

extension ProtoPackage {
  /// Groups the files by package. Returns the packages in the order of their names.
  static func all(of files: [FileDescriptor]) throws(GenerationError) -> [ProtoPackage] {
    let packages = Dictionary(grouping: files.sorted { $0.name < $1.name }, by: \.package)
    var contracts: [ProtoPackage] = []
    for package in packages.keys.sorted() {
      contracts.append(try ProtoPackage(files: packages[package] ?? []))
    }
    return contracts
  }
}

extension FileDescriptor {
  /// The file's name without directories and extension: `presence` for
  /// `carillon/v1/presence.proto`.
  var stem: String {
    let last = name.split(separator: "/").last.map(String.init) ?? name
    return last.hasSuffix(".proto") ? String(last.dropLast(6)) : last
  }
}

extension MethodDescriptor {
  /// The text whose hash is the method's key in request headers, for example
  /// `carillon.v1.Presence/Join`.
  var wireName: String { "\(service.fullName)/\(name)" }

  /// FNV-1a, 32 bit, of the UTF-8 of the wire name.
  var key: UInt32 {
    wireName.utf8.reduce(0x811c_9dc5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}
