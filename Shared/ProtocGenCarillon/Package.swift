// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ProtocGenCarillon",
  products: [.executable(name: "protoc-gen-carillon", targets: ["protoc-gen-carillon"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-protobuf.git", exact: "1.39.0")
  ],
  targets: [
    .executableTarget(
      name: "protoc-gen-carillon",
      dependencies: [
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
        .product(name: "SwiftProtobufPluginLibrary", package: "swift-protobuf"),
      ],
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
        .strictMemorySafety(),
      ])
  ]
)
