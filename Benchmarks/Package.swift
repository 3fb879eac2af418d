// swift-tools-version: 6.2
import PackageDescription

/// The settings of the root package, so that the benchmarks measure code as it ships.
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

// A separate package, so that building and testing Carillon does not build its benchmarks.
let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "carillon", path: "..")],
  targets: [
    .executableTarget(
      name: "bench",
      dependencies: [carillon("AdaptiveTrials"), carillon("Bus"), carillon("TestSupport")],
      path: "Sources/bench", swiftSettings: strict)
  ]
)
