internal import Foundation
internal import ZeroMQ

/// What keeps this process from a gateway's Unix socket, where trying again does not help.
enum SocketObstacle: Hashable {
  /// There is no such socket.
  case missing(String)
  /// A directory on the way to it that this user may not enter.
  case closedDirectory(String)
  /// This user may not write to it.
  case closedSocket(String)

  /// `nil` for an endpoint without a file, and where nothing keeps the process from it.
  init?(to endpoint: Endpoint, files: some FileRights = FileManager.default) {
    guard case .ipc(let path) = endpoint.transport else { return nil }
    let closed = Self.directories(of: path).first { files.exists($0) && !files.mayEnter($0) }
    if let closed {
      self = .closedDirectory(closed)
    } else if !files.exists(path) {
      self = .missing(path)
    } else if !files.mayWrite(path) {
      self = .closedSocket(path)
    } else {
      return nil
    }
  }

  /// What is wrong, and what to do.
  var advice: String {
    switch self {
    case .missing(let path):
      "\(path) does not exist: start the gateway, or name the socket of one that runs."
    case .closedDirectory(let path): "this user may not enter \(path): \(Self.otherUser)"
    case .closedSocket(let path): "this user may not write to \(path): \(Self.otherUser)"
    }
  }

  private static let otherUser =
    "run the client as the user of the services, or start the gateway with --listen-tcp and "
    + "connect to its tcp:// endpoint."

  /// The directories on the way to a file, topmost first.
  private static func directories(of path: String) -> [String] {
    path.indices.filter { path[$0] == "/" }.map {
      $0 == path.startIndex ? "/" : String(path[..<$0])
    }
  }
}

/// What a process may do with files.
protocol FileRights {
  /// Whether the file is there, as far as this process may see it.
  func exists(_ path: String) -> Bool
  /// Whether this process may enter the directory.
  func mayEnter(_ path: String) -> Bool
  /// Whether this process may write to the file.
  func mayWrite(_ path: String) -> Bool
}

extension FileManager: FileRights {
  func exists(_ path: String) -> Bool { fileExists(atPath: path) }
  func mayEnter(_ path: String) -> Bool { isExecutableFile(atPath: path) }
  func mayWrite(_ path: String) -> Bool { isWritableFile(atPath: path) }
}
