import SwiftProtobufPluginLibrary

/// Writes Carillon's Swift values, method descriptors, server protocols and clients from `.proto`
/// files. The generated code uses the output of `protoc-c` for the same files.
///
/// One run processes all files of all packages. Its output directory is `Shared/`, and the files
/// are in `Wire/Generated`, `Bus/Generated` and `CCarillonWire/include`.
@main
struct ProtocGenCarillon: CodeGenerator {
  /// The generator supports no optional features. So `protoc` rejects the `optional` of proto3,
  /// which protobuf-c does not support.
  var supportedFeatures: [Google_Protobuf_Compiler_CodeGeneratorResponse.Feature] { [] }

  func generate(
    files: [FileDescriptor],
    parameter: any CodeGeneratorParameter,
    protoCompilerContext: any ProtoCompilerContext,
    generatorOutputs: any GeneratorOutputs
  ) throws {
    let contracts = try ProtoPackage.all(of: files)
    for contract in contracts { try generate(contract, into: generatorOutputs) }
    try generatorOutputs.add(
      fileName: "CCarillonWire/include/CCarillonWire.h",
      contents: PackageNamespaceWriter.umbrellaHeader(of: contracts))
  }

  private func generate(_ contract: ProtoPackage, into generatorOutputs: any GeneratorOutputs)
    throws
  {
    for file in contract.files {
      let stem = file.stem
      var wire = SwiftSourceBuilder(from: file.name)
      try WireFileWriter(contract: contract).write(file, to: &wire)
      try generatorOutputs.add(
        fileName: "Wire/Generated/\(stem).wire.swift", contents: wire.text)
      guard !file.services.isEmpty else { continue }
      var bus = SwiftSourceBuilder(from: file.name)
      try ServiceStubWriter(contract: contract).write(file, to: &bus)
      try generatorOutputs.add(
        fileName: "Bus/Generated/\(stem).service.swift", contents: bus.text)
    }
    var registry = SwiftSourceBuilder(from: "all files of package \(contract.package)")
    PackageNamespaceWriter(contract: contract).write(to: &registry)
    try generatorOutputs.add(
      fileName: "Wire/Generated/\(contract.namespace).swift", contents: registry.text)
    guard contract.isOurs else { return }
    try InPlaceField.check(contract)
    var enums = SwiftSourceBuilder(from: "all files of package \(contract.package)")
    try ModelEnumWriter(contract: contract).write(to: &enums)
    try generatorOutputs.add(
      fileName: "Wire/Generated/ModelEnums.swift", contents: enums.text)
  }
}
