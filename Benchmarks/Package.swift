// swift-tools-version: 6.2
import PackageDescription

/// The same compiler settings as in the root package.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

func carillon(_ product: String) -> Target.Dependency {
  .product(name: product, package: "carillon")
}

// The benchmarks are a separate package, so that a build or test of Carillon does not build them.
let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "carillon", path: "..")],
  targets: [
    .executableTarget(
      name: "bench",
      dependencies: [
        carillon("AdaptiveTrials"), carillon("Bus"), carillon("TestSupport"), carillon("WebRTC"),
      ],
      path: "Sources/bench", swiftSettings: strict)
  ]
)
