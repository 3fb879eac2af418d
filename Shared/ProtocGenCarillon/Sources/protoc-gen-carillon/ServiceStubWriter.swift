import SwiftProtobufPluginLibrary

/// Writes `<file>.service.swift`: a server protocol and a client for each service of one file.
struct ServiceStubWriter {
  let contract: ProtoPackage

  func write(_ file: FileDescriptor, to source: inout SwiftSourceBuilder) throws(GenerationError) {
    source.line("public import MeetingModel")
    source.line("public import Wire")
    for service in file.services {
      source.line()
      writeServer(service, to: &source)
      source.line()
      writeRegistration(service, to: &source)
      source.line()
      writeClient(service, to: &source)
    }
  }

  private func writeServer(_ service: ServiceDescriptor, to source: inout SwiftSourceBuilder) {
    source.line("/// Answers `service \(service.name)`.")
    source.line("///")
    source.doc(service, fallback: "Wire name `\(service.fullName)`.")
    source.block("public protocol \(service.name)Server: Actor {") { source in
      for method in service.methods {
        source.doc(method)
        let answer = method.serverStreaming ? "_ stream: ServerStream" : "_ call: Call"
        source.line("func \(swiftName(method))(")
        source.line("  _ request: \(input(method)), \(answer)<\(output(method))>)")
      }
    }
  }

  private func writeRegistration(_ service: ServiceDescriptor, to source: inout SwiftSourceBuilder)
  {
    let label = SwiftNames.escaped(SwiftNames.lowerFirst(service.name))
    source.block("extension RequestServer {") { source in
      source.line("/// Answers every method of `service \(service.name)` with `handler`, on whose")
      source.line("/// executor this server runs.")
      source.block(
        "public func serve<H: \(service.name)Server>(\(label) handler: isolated H) {"
      ) { source in
        for method in service.methods {
          let answer = method.serverStreaming ? "stream" : "call"
          source.block("on(\(descriptor(method))) { request, \(answer) in") {
            $0.line("handler.\(swiftName(method))(request, \(answer))")
          }
        }
      }
    }
  }

  private func writeClient(_ service: ServiceDescriptor, to source: inout SwiftSourceBuilder) {
    source.line("/// Calls `service \(service.name)`.")
    source.line("///")
    source.doc(service, fallback: "Wire name `\(service.fullName)`.")
    source.block("public struct \(service.name)Client {") { source in
      source.line("/// What the calls go over. They are made, and answered, on its socket thread.")
      source.line("public let channel: RequestChannel")
      source.line()
      source.line("public init(_ channel: RequestChannel) { self.channel = channel }")
      for method in service.methods {
        source.line()
        method.serverStreaming ? writeStream(method, to: &source) : writeUnary(method, to: &source)
      }
    }
  }

  private func writeUnary(_ method: MethodDescriptor, to source: inout SwiftSourceBuilder) {
    source.doc(method, fallback: "`\(method.wireName)`.")
    source.line("public func \(swiftName(method))(")
    source.line("  _ request: \(input(method)), options: CallOptions = .init(),")
    source.line("  isolation: isolated (any Actor)? = #isolation")
    source.block(") async throws(Status) -> \(output(method)) {") {
      $0.line("try await channel.call(")
      $0.line("  \(descriptor(method)), request, options, isolation: isolation)")
    }
    source.line()
    source.doc(method, fallback: "`\(method.wireName)`.")
    source.line("///")
    source.line("/// - Parameter then: Called once, on the socket thread, with the answer.")
    source.line("public func \(swiftName(method))(")
    source.line("  _ request: \(input(method)), options: CallOptions = .init(),")
    source.line("  then: @escaping (Result<\(output(method)), Status>) -> Void")
    source.block(") {") {
      $0.line("channel.call(\(descriptor(method)), request, options, then: then)")
    }
  }

  private func writeStream(_ method: MethodDescriptor, to source: inout SwiftSourceBuilder) {
    source.doc(method, fallback: "`\(method.wireName)`.")
    source.line("///")
    source.line("/// - Parameters:")
    source.line("///   - onItem: Called on the socket thread with each item, in order.")
    source.line(
      "///   - onEnd: Called once, on the socket thread, after the last item; `nil` is OK."
    )
    source.line("@discardableResult")
    source.line("public func \(swiftName(method))(")
    source.line("  _ request: \(input(method)), options: CallOptions = .init(),")
    source.line("  onItem: @escaping (\(output(method))) -> Void,")
    source.line("  onEnd: @escaping (Status?) -> Void")
    source.block(") -> StreamCallHandle {") {
      $0.line("channel.open(")
      $0.line("  \(descriptor(method)), request, options, onItem: onItem, onEnd: onEnd)")
    }
  }

  private func swiftName(_ method: MethodDescriptor) -> String {
    SwiftNames.escaped(SwiftNames.lowerFirst(method.name))
  }

  private func input(_ method: MethodDescriptor) -> String {
    contract.swiftName(method.inputType.fullName)
  }

  private func output(_ method: MethodDescriptor) -> String {
    contract.swiftName(method.outputType.fullName)
  }

  private func descriptor(_ method: MethodDescriptor) -> String {
    "\(contract.namespace).\(method.service.name)Methods.\(swiftName(method))"
  }
}
