// swift-tools-version: 6.2
import PackageDescription

/// The settings of every target: Swift 6 with explicit existentials and explicit imports, and
/// warnings as errors. Strict memory safety is a further setting of all targets other than tests
/// and the targets that only tests use.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// Declares a library with a purpose that one sentence can describe. `path` is the library's folder
/// if this folder is not `Shared/<name>`.
func shared(
  _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil,
  resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: path ?? "Shared/\(name)", resources: resources,
    swiftSettings: strict + [.strictMemorySafety()])
}

/// Declares a program: a few lines of code that start a library. The program has a folder of its
/// own.
func program(_ name: String, _ dependencies: [Target.Dependency], path: String) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: path,
    swiftSettings: strict + [.strictMemorySafety()])
}

/// Declares a program that only tests run.
func testProgram(
  _ name: String, _ dependencies: [Target.Dependency], path: String, without excluded: [String] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: path, exclude: excluded, swiftSettings: strict)
}

/// Declares the tests of a module, in `Tests/<name>Tests`.
func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.target(name: name)] + dependencies,
    path: "Tests/\(name)Tests", swiftSettings: strict)
}

let asyncHTTPClient = Target.Dependency.product(
  name: "AsyncHTTPClient", package: "async-http-client")
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let lifecycle = Target.Dependency.product(
  name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let nio = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioWebSocket = Target.Dependency.product(name: "NIOWebSocket", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let signals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")

let package = Package(
  name: "carillon",
  products: [
    .library(name: "CarillonClient", targets: ["CarillonClient"]),
    // A client library without codecs, for applications that use no media.
    .library(name: "CarillonClientCore", targets: ["CarillonClientCore"]),
    // The package in Benchmarks uses this product.
    .library(name: "Bus", targets: ["Bus", "MeetingModel", "Wire", "ZeroMQ"]),
    .library(name: "TestSupport", targets: ["TestSupport", "Trials"]),
    .library(name: "AdaptiveTrials", targets: ["AdaptiveTrials"]),
    .library(name: "WebRTC", targets: ["SRTP", "WebRTC"]),
    .executable(name: "adaptive", targets: ["adaptive"]),
    .executable(name: "carillon", targets: ["carillon"]),
    .executable(name: "carillon-all", targets: ["carillon-all"]),
    .executable(name: "gateway", targets: ["gateway"]),
    .executable(name: "media", targets: ["media"]),
    .executable(name: "messaging", targets: ["messaging"]),
    .executable(name: "presence", targets: ["presence"]),
    .executable(name: "video-tiles", targets: ["video-tiles"]),
    .executable(name: "transcription", targets: ["transcription"]),
    .executable(name: "carillon-pocketsphinx", targets: ["carillon-pocketsphinx"]),
    .executable(name: "bus-stress", targets: ["bus-stress"]),
    .executable(name: "wire-echo", targets: ["wire-echo"]),
    .executable(name: "srtp-echo", targets: ["srtp-echo"]),
    .executable(name: "zmtp-echo", targets: ["zmtp-echo"]),
    // Tests preload this library into a service.
    .library(name: "allocation-counter", type: .dynamic, targets: ["AllocationCounter"]),
  ],
  dependencies: [
    .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
  ],
  targets: [
    // Modules that all services use.
    .systemLibrary(name: "CZeroMQ", path: "Shared/CZeroMQ"),
    .target(name: "CArena", path: "Shared/CArena"),
    .target(name: "CCarillonWire", path: "Shared/CCarillonWire"),
    .systemLibrary(name: "CEpoll", path: "Shared/CEpoll"),
    .systemLibrary(name: "CSocket", path: "Shared/CSocket"),
    .systemLibrary(name: "CSodium", path: "Shared/CSodium", pkgConfig: "libsodium"),
    .systemLibrary(name: "CPostgreSQL", path: "Shared/CPostgreSQL"),
    .systemLibrary(name: "COpenSSL", path: "Shared/COpenSSL", pkgConfig: "libssl"),
    .systemLibrary(name: "COpus", path: "Shared/COpus"),
    .systemLibrary(name: "CSpeexDSP", path: "Shared/CSpeexDSP"),
    .systemLibrary(name: "CZlib", path: "Shared/CZlib"),
    shared("MeetingModel"),
    shared("RTP", ["MeetingModel"]),
    shared("Opus", ["COpus"]),
    shared("SpeexDSP", ["CSpeexDSP"]),
    shared("SRTP", ["COpenSSL"]),
    shared("WebRTC", ["COpenSSL", "SRTP"]),
    shared("ZeroMQ", ["CZeroMQ"]),
    shared("ZMTP", ["CSodium"]),
    shared("Zlib", ["CZlib"]),
    shared("Wire", ["CArena", "CCarillonWire", "MeetingModel"]),
    shared(
      "Bus",
      ["CEpoll", "CSocket", "Secrets", "ZeroMQ", "ZMTP", "Wire", "MeetingModel", deque]),
    shared("Secrets"),
    shared("Signing", ["MeetingModel", crypto]),
    shared("PostgreSQL", ["CPostgreSQL"]),
    shared(
      "Storage", ["MeetingModel", "PostgreSQL", "Secrets", "Signing", crypto, grdb, sqlite]),
    shared("Cluster", ["Bus", "PostgreSQL"]),
    shared(
      "ServiceHost",
      [
        "Bus", "Cluster", "MeetingModel", "PostgreSQL", "Wire", "ZeroMQ", argumentParser,
        hummingbird, hummingbirdCore,
        lifecycle, logging, metrics, nio, signals,
      ]),

    // A module for the services that own the state of meetings.
    shared(
      "Ownership",
      [
        "Bus", "MeetingModel", "Wire", "ServiceHost", "ZeroMQ", argumentParser, lifecycle, logging,
      ]),

    // The services. Each service has a library and a program of three lines.
    shared(
      "Presence",
      [
        "Ownership", "ServiceHost", "Bus", "Wire", "MeetingModel", "ZeroMQ", argumentParser,
        lifecycle, logging,
      ],
      path: "Services/Presence"),
    program("presence", ["Presence", "ServiceHost"], path: "Services/PresenceMain"),
    shared(
      "Messaging",
      [
        "Ownership", "ServiceHost", "Bus", "Wire", "MeetingModel", "Storage", "ZeroMQ",
        argumentParser, lifecycle, logging,
      ], path: "Services/Messaging"),
    program("messaging", ["Messaging", "ServiceHost"], path: "Services/MessagingMain"),
    shared(
      "VideoTiles",
      [
        "Ownership", "ServiceHost", "Bus", "Wire", "MeetingModel", "ZeroMQ", argumentParser,
        lifecycle, logging,
      ],
      path: "Services/VideoTiles"),
    program("video-tiles", ["VideoTiles", "ServiceHost"], path: "Services/VideoTilesMain"),
    shared(
      "Media",
      [
        "Ownership", "ServiceHost", "Bus", "Wire", "ZMTP", "MeetingModel", "Opus", "RTP",
        "CSocket", "SRTP", "SpeexDSP", "WebRTC", "ZeroMQ", argumentParser, deque, heap, lifecycle,
        logging,
      ], path: "Services/Media"),
    program("media", ["Media", "ServiceHost"], path: "Services/MediaMain"),
    shared(
      "Transcription",
      [
        "Ownership", "ServiceHost", "Bus", "Wire", "MeetingModel", "ZeroMQ", argumentParser,
        lifecycle, logging,
      ],
      path: "Services/Transcription"),
    program(
      "transcription", ["Transcription", "ServiceHost"], path: "Services/TranscriptionMain"),
    // The headers of PocketSphinx are in separate folders, which pkg-config knows.
    .systemLibrary(
      name: "CPocketSphinx", path: "Services/PocketSphinxEngine/CPocketSphinx",
      pkgConfig: "pocketsphinx"),
    .target(
      name: "PocketSphinxEngine",
      dependencies: [
        "CPocketSphinx", "ServiceHost", "Bus", "Wire", "MeetingModel", "ZeroMQ", argumentParser,
        lifecycle, logging,
      ], path: "Services/PocketSphinxEngine", exclude: ["CPocketSphinx"],
      swiftSettings: strict + [.strictMemorySafety()]),
    program(
      "carillon-pocketsphinx", ["PocketSphinxEngine"],
      path: "Services/PocketSphinxEngineMain"),
    shared(
      "Gateway",
      [
        "ServiceHost", "Bus", "Wire", "MeetingModel", "Secrets", "Signing", "Storage", "ZMTP",
        "Zlib", "ZeroMQ", argumentParser, asyncHTTPClient, crypto, deque, httpTypes,
        hummingbirdCore,
        lifecycle, logging, nio, nioHTTP1, nioPosix, nioSSL, nioWebSocket,
      ], path: "Services/Gateway", resources: [.embedInCode("REST/openapi.json")]),
    program("gateway", ["Gateway", "ServiceHost"], path: "Services/GatewayMain"),
    // The operator's tool and the demo. Neither uses the other, and neither uses the module of a
    // service.
    shared("Output", ["MeetingModel", argumentParser], path: "Tools/Output"),
    // Helpers with which the demo and the tests exercise meetings.
    shared("Trials", path: "Tools/Trials"),
    shared(
      "LocalInstallation",
      ["Output", "Signing", "Trials", "Bus", "Wire", "MeetingModel", "ZeroMQ", argumentParser],
      path: "Tools/LocalInstallation"),
    shared(
      "MeetingViews", ["Output", "Trials", "CarillonClientCore", "Wire"],
      path: "Tools/MeetingViews"),
    // Clients with which the demo and the tests act as browsers.
    shared(
      "BrowserTrials",
      [
        "Output", "LocalInstallation", "MeetingViews", "Opus", "RTP", "SRTP", "WebRTC", "Wire",
        "MeetingModel", "ZeroMQ",
      ],
      path: "Tools/BrowserTrials"),
    // Speech for the demo and the bot.
    shared("Speaking", ["Output", "LocalInstallation", "CarillonClient"], path: "Tools/Speaking"),
    shared(
      "Demo",
      [
        "BrowserTrials", "Output", "LocalInstallation", "MeetingViews", "Signing", "Speaking",
        "Trials", "Bus", "Wire", "MeetingModel", "CarillonClient", argumentParser,
      ], path: "Tools/Demo"),
    shared(
      "Bot",
      ["Output", "LocalInstallation", "MeetingViews", "Speaking", "Bus", "Wire", "CarillonClient"],
      path: "Tools/Bot"),
    shared(
      "CLI",
      [
        "Bot", "Cluster", "Output", "LocalInstallation", "MeetingViews", "PostgreSQL", "Secrets",
        "Signing", "Storage", "Bus", "Wire", "MeetingModel", "CarillonClient",
        "CarillonClientCore", "ZeroMQ",
        argumentParser, hummingbird, logging, nio,
      ], path: "Tools/carillon/CLI"),
    shared(
      "CarillonProgram", ["CLI", "Demo", "Output", "CarillonClientCore", argumentParser],
      path: "Tools/carillon/Program"),
    program("carillon", ["CarillonProgram"], path: "Tools/carillon/Main"),
    // One program that contains all programs, because separate programs would enlarge the
    // container's image.
    program(
      "carillon-all",
      [
        "CarillonProgram", "Gateway", "Media", "Messaging", "Presence", "ServiceHost",
        "Transcription", "VideoTiles",
      ],
      path: "deploy/AllPrograms"),

    // The Swift client: the whole client, the client without media, and the media.
    shared(
      "CarillonClient", ["CarillonClientCore", "CarillonClientMedia"],
      path: "Clients/Swift/Sources/CarillonClient"),
    shared(
      "CarillonClientCore", ["Bus", "Wire", "MeetingModel", "ZeroMQ"],
      path: "Clients/Swift/Sources/CarillonClientCore"),
    .systemLibrary(name: "CVPX", path: "Clients/Swift/Sources/CVPX"),
    shared("VPX", ["CVPX"], path: "Clients/Swift/Sources/VPX"),
    shared(
      "CarillonClientMedia",
      ["CarillonClientCore", "MeetingModel", "Opus", "RTP", "VPX", "ZeroMQ"],
      path: "Clients/Swift/Sources/CarillonClientMedia"),

    // The tests, and the programs that the tests run.
    testProgram(
      "bus-stress", ["Bus", "Wire", "MeetingModel", "ZeroMQ"], path: "Tests/BusStress",
      without: ["tsan.supp"]),
    testProgram("wire-echo", ["Wire"], path: "Tests/WireEcho"),
    testProgram("srtp-echo", ["SRTP"], path: "Tests/SRTPEcho"),
    testProgram("zmtp-echo", ["TestSupport", "Trials", "ZMTP"], path: "Tests/ZMTPEcho"),
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    // Measures the memory of a process, for tests that limit this memory.
    .target(name: "HeapSize", path: "Tests/HeapSize"),
    // A trait that keeps tests with long computations from delaying the tests of services.
    .target(name: "LongComputation", path: "Tests/LongComputation", swiftSettings: strict),
    // A replacement of the system's clock, for tests that move the clock. Our code and the
    // libraries that our code uses read this clock.
    .target(name: "VirtualTime", path: "Tests/VirtualTime"),
    .target(
      name: "TestSupport",
      dependencies: [
        "Bus", "MeetingModel", "Opus", "RTP", "Trials", "Wire", "ZMTP", "ZeroMQ",
      ],
      path: "Tests/TestSupport", swiftSettings: strict),
    // Trials in which the links of real clients to real services change. Tests and benchmarks run
    // these trials.
    .target(
      name: "AdaptiveTrials",
      dependencies: ["CarillonClient", "TestSupport", "Trials", "Wire"],
      path: "Tests/AdaptiveTrials", swiftSettings: strict),
    testProgram("adaptive", ["AdaptiveTrials"], path: "Tests/AdaptiveMain"),
    .target(
      name: "AudienceModel", dependencies: ["MeetingModel"], path: "Tests/AudienceModel",
      swiftSettings: strict),
    .target(
      name: "OwnerTestSupport",
      dependencies: ["Bus", "MeetingModel", "Trials", "Wire", "ZeroMQ"],
      path: "Tests/OwnerTestSupport", swiftSettings: strict),
    .target(
      name: "ClientTestSupport",
      dependencies: ["Bus", "MeetingModel", "TestSupport", "Trials", "Wire", "ZeroMQ"],
      path: "Tests/ClientTestSupport", swiftSettings: strict),
    .target(
      name: "GuidePrograms", dependencies: ["CarillonClient"], path: "Tests/GuidePrograms",
      swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
    tests(of: "MeetingModel"),
    tests(of: "ZeroMQ"),
    tests(of: "ZMTP", ["TestSupport", "Trials", "ZeroMQ"]),
    tests(of: "Wire", ["MeetingModel"]),
    tests(of: "Bus", ["LongComputation", "MeetingModel", "TestSupport", "Wire", "ZeroMQ", "ZMTP"]),
    tests(of: "Secrets"),
    tests(of: "Signing"),
    tests(of: "Cluster", ["Bus", "MeetingModel", "PostgreSQL", "TestSupport", "ZeroMQ"]),
    tests(of: "PostgreSQL", ["TestSupport", "ZeroMQ"]),
    tests(
      of: "Storage",
      ["MeetingModel", "PostgreSQL", "Signing", "TestSupport", "ZeroMQ", grdb]),
    tests(
      of: "ServiceHost",
      [
        "Bus", "TestSupport", "ZeroMQ", argumentParser, hummingbirdCore, lifecycle, logging,
        metrics, nio, nioPosix, signals,
      ]),
    tests(
      of: "Ownership",
      [
        "Bus", "MeetingModel", "OwnerTestSupport", "ServiceHost", "TestSupport", "Wire", "ZeroMQ",
        argumentParser, logging,
      ]),
    tests(
      of: "Presence",
      [
        "Bus", "LongComputation", "MeetingModel", "Ownership", "OwnerTestSupport", "ServiceHost",
        "TestSupport", "Trials", "Wire", "ZeroMQ", argumentParser, logging,
      ]),
    tests(
      of: "Messaging",
      [
        "Bus", "LongComputation", "MeetingModel", "Ownership", "OwnerTestSupport", "PostgreSQL",
        "ServiceHost", "Storage", "TestSupport", "Wire", "ZeroMQ", argumentParser, grdb, logging,
      ]),
    tests(
      of: "VideoTiles",
      [
        "Bus", "LongComputation", "MeetingModel", "Ownership", "OwnerTestSupport", "ServiceHost",
        "TestSupport", "Trials", "Wire", "ZeroMQ", argumentParser, logging,
      ]),
    tests(of: "RTP", ["MeetingModel", "TestSupport"]),
    tests(of: "Opus"),
    tests(of: "SpeexDSP"),
    tests(of: "SRTP", ["TestSupport"]),
    tests(of: "WebRTC", ["COpenSSL", "HeapSize", "SRTP", "TestSupport", "VirtualTime"]),
    tests(
      of: "Media",
      [
        "Bus", "HeapSize", "LongComputation", "MeetingModel", "Opus", "Ownership", "RTP",
        "ServiceHost", "SRTP", "TestSupport", "Trials", "WebRTC", "Wire", "ZeroMQ", logging,
      ]),
    tests(
      of: "Transcription",
      [
        "Bus", "LongComputation", "MeetingModel", "Ownership", "OwnerTestSupport",
        "PocketSphinxEngine", "ServiceHost", "TestSupport", "Trials", "Wire", "ZeroMQ",
        argumentParser, logging,
      ]),
    tests(
      of: "PocketSphinxEngine",
      [
        "Bus", "LongComputation", "MeetingModel", "ServiceHost", "TestSupport", "Trials", "Wire",
        "ZeroMQ", logging,
      ]),
    tests(
      of: "Gateway",
      [
        "Bus", "LongComputation", "MeetingModel", "ServiceHost", "Signing", "Storage",
        "TestSupport", "Trials", "Wire", "ZeroMQ", lifecycle, logging, nio, nioPosix,
      ]),
    tests(
      of: "CarillonClient",
      [
        "CarillonClientCore", "ClientTestSupport", "GuidePrograms", "LongComputation",
        "MeetingModel", "TestSupport", "Trials", "Wire", "ZeroMQ",
      ]),
    tests(of: "VPX"),
    tests(
      of: "CarillonClientMedia",
      [
        "CarillonClientCore", "LongComputation", "MeetingModel", "Opus", "RTP", "TestSupport",
        "Trials", "VPX", "ZeroMQ",
      ]),
    tests(of: "Output"),
    tests(of: "Trials", ["TestSupport"]),
    tests(
      of: "LocalInstallation",
      ["Bus", "MeetingModel", "Output", "Signing", "TestSupport", "Trials"]),
    tests(of: "MeetingViews", ["Output", "Wire"]),
    tests(of: "Bot", ["MeetingViews"]),
    tests(
      of: "BrowserTrials",
      ["LocalInstallation", "MeetingModel", "Output", "RTP", "Trials", "WebRTC"]),
    tests(of: "Demo", ["LocalInstallation", "MeetingViews", "Output", "TestSupport", "Trials"]),
    tests(
      of: "CLI",
      [
        "CarillonProgram", "LocalInstallation", "MeetingViews", "Output", "Bus",
        "CarillonClientCore",
        "ClientTestSupport", "MeetingModel", "TestSupport", "Trials", "Wire", "ZeroMQ",
        argumentParser,
      ]),
    // Tests of what the guide says about replica meetings. These tests use the cores of all
    // services that handle replicas.
    .testTarget(
      name: "ReplicaTests",
      dependencies: [
        "AudienceModel", "Bus", "Gateway", "Media", "MeetingModel", "OwnerTestSupport", "Ownership",
        "Presence",
        "TestSupport", "VideoTiles", "Wire",
      ],
      path: "Tests/ReplicaTests", swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "AdaptiveTrials", "AudienceModel", "BrowserTrials", "Bus", "CarillonClient",
        "CarillonClientCore", "GuidePrograms", "MeetingModel", "MeetingViews", "TestSupport",
        "Trials", "Wire", "ZeroMQ",
      ],
      path: "Tests/EndToEndTests", swiftSettings: strict),
  ]
)
