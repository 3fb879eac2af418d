internal import SwiftProtobuf
import SwiftProtobufPluginLibrary

/// All files that are generated together, checked for what the generated code relies on.
struct Contract {
  let files: [FileDescriptor]
  /// The one package, for example `carillon.v1`.
  let package: String
  /// What Swift calls the package: its last word, capitalised, for example `V1`.
  let namespace: String

  /// Every message, nested ones after the one they are in, in the order of the files.
  var messages: [Descriptor] { files.flatMap { $0.messages.flatMap(Self.flatten) } }

  var services: [ServiceDescriptor] { files.flatMap(\.services) }

  init(files: [FileDescriptor]) throws(GenerationError) {
    self.files = files
    package = files.first?.package ?? ""
    let version = package.split(separator: ".").last.map(String.init) ?? ""
    guard version.first == "v", Int(version.dropFirst()) != nil else {
      throw .unversionedPackage(package)
    }
    namespace = version.capitalizedFirst
    for file in files {
      guard file.package == package else { throw .mixedPackages(package, file.package) }
      guard file.edition == .proto3 else {
        throw .unsupported(file.name, what: "only proto3 is generated.")
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

  /// The Swift name of a message or enum from anywhere, for example `V1.JoinRequest.Inner`.
  func swiftName(_ fullName: String) -> String {
    "\(namespace).\(fullName.dropFirst(package.count + 1))"
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

extension FileDescriptor {
  /// `presence` for `carillon/v1/presence.proto`.
  var stem: String {
    let last = name.split(separator: "/").last.map(String.init) ?? name
    return last.hasSuffix(".proto") ? String(last.dropLast(6)) : last
  }
}

extension MethodDescriptor {
  /// `carillon.v1.Presence/Join`: what the key is the hash of.
  var wireName: String { "\(service.fullName)/\(name)" }

  /// FNV-1a, 32 bit, of the UTF-8 of the wire name.
  var key: UInt32 {
    wireName.utf8.reduce(0x811c_9dc5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}
