import Foundation
import Secrets
import Testing

struct SecretFileTests {
  private let files = FileManager.default

  /// Runs `body` with a directory that only this user can access.
  private func withDirectory(_ body: (String) throws -> Void) throws {
    let directory = files.temporaryDirectory.path + "/secrets-\(UUID().uuidString)"
    try files.createDirectory(
      atPath: directory, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    defer { try? files.removeItem(atPath: directory) }
    try body(directory)
  }

  private func make(_ path: String, mode: Int = 0o600) throws {
    try Data("secret".utf8).write(to: URL(filePath: path))
    try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  private func makeDirectory(_ path: String, mode: Int) throws {
    try files.createDirectory(atPath: path, withIntermediateDirectories: true)
    // `createDirectory` cannot set this mode, because the umask restricts it.
    try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  private func link(_ path: String, to target: String) throws {
    try files.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  private func problem(
    _ path: String, for readers: SecretFile.Readers = .owner
  ) throws -> String? {
    do {
      let file = try #require(try SecretFile(path, for: readers, limit: 100))
      #expect(file.bytes == Array("secret".utf8))
      return nil
    } catch let error as SecretFileError {
      return error.problem
    }
  }

  @Test(arguments: [
    (0o600, "ogw"), (0o400, "ogw"), (0o640, "gw"), (0o440, "gw"), (0o660, ""), (0o644, "w"),
    (0o604, "w"), (0o666, ""), (0o602, ""), (0o620, ""),
  ])
  func `the mode of a secret file determines who may use the file, even through a link`(
    mode: Int, accepted: String
  ) throws {
    try withDirectory { directory in
      let path = "\(directory)/key"
      try make(path, mode: mode)
      try link("\(directory)/link", to: "key")
      for path in [path, "\(directory)/link"] {
        #expect(try (problem(path, for: .owner) == nil) == accepted.contains("o"), "\(path)")
        #expect(try (problem(path, for: .group) == nil) == accepted.contains("g"), "\(path)")
        #expect(try (problem(path, for: .everybody) == nil) == accepted.contains("w"), "\(path)")
      }
    }
  }

  @Test func `links like those of certbot are followed to the file`() throws {
    try withDirectory { directory in
      for name in ["archive/host", "live/host"] {
        try makeDirectory("\(directory)/\(name)", mode: 0o755)
      }
      let archived = "\(directory)/archive/host/privkey1.pem"
      try make(archived)
      let live = "\(directory)/live/host/privkey.pem"
      try link(live, to: "../../archive/host/privkey1.pem")
      #expect(try problem(live) == nil)
      try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: archived)
      #expect(try problem(live, for: .group)?.contains(archived) == true)
    }
  }

  @Test func `the links of a mounted secret are followed, even in a sticky directory`() throws {
    try withDirectory { directory in
      let volume = "\(directory)/volume"
      try makeDirectory("\(volume)/..2026_11_27", mode: 0o755)
      try make("\(volume)/..2026_11_27/token.key", mode: 0o400)
      try link("\(volume)/..data", to: "..2026_11_27")
      try link("\(volume)/token.key", to: "..data/token.key")
      try files.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: volume)
      #expect(try problem("\(volume)/token.key") == nil)
      try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: volume)
      #expect(try problem("\(volume)/token.key")?.contains("may write to \(volume)") == true)
    }
  }

  @Test(.enabled(if: getuid() == 0))
  func `another user's link in a sticky directory is refused`() throws {
    try withDirectory { directory in
      let shared = "\(directory)/shared"
      try make("\(directory)/key")
      try makeDirectory(shared, mode: 0o1777)
      try link("\(shared)/key", to: "../key")
      try #require(lchown("\(shared)/key", 12_345, 12_345) == 0)
      #expect(try problem("\(shared)/key")?.contains("belongs to user 12345") == true)
      // The directory's owner could replace any link in the directory.
      try #require(chown(shared, 12_345, 12_345) == 0)
      #expect(try problem("\(shared)/key") == nil)
    }
  }

  @Test(arguments: [0o777, 0o770, 0o775, 0o707])
  func `a link or target in a directory that others may write to is refused`(
    mode: Int
  ) throws {
    try withDirectory { directory in
      for name in ["open", "closed"] { try makeDirectory("\(directory)/\(name)", mode: 0o700) }
      try make("\(directory)/open/key")
      try link("\(directory)/closed/key", to: "\(directory)/open/key")
      try make("\(directory)/closed/other")
      try link("\(directory)/open/other", to: "../closed/other")
      #expect(try problem("\(directory)/closed/key") == nil)
      #expect(try problem("\(directory)/open/other") == nil)
      try files.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(directory)/open")
      for path in ["closed/key", "open/other"] {
        let problem = try problem("\(directory)/\(path)")
        #expect(problem?.contains("Other users may write to \(directory)/open") == true, "\(path)")
      }
    }
  }

  @Test func `a link to a directory within the path is checked as well`() throws {
    try withDirectory { directory in
      for name in ["open", "real"] { try makeDirectory("\(directory)/\(name)", mode: 0o700) }
      try make("\(directory)/real/key")
      try link("\(directory)/open/way", to: "../real")
      let path = "\(directory)/open/../open/way/./key"
      #expect(try problem(path) == nil)
      try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: "\(directory)/open")
      #expect(try problem(path)?.contains("Other users may write to \(directory)/open") == true)
    }
  }

  @Test func `a missing secret file gives nil, and a path that is not a file gives an error`()
    throws
  {
    try withDirectory { directory in
      try link("\(directory)/nowhere", to: "missing")
      try link("\(directory)/circle", to: "circle")
      for path in ["missing", "missing/key", "nowhere", "nowhere/key"] {
        #expect(try SecretFile("\(directory)/\(path)", for: .owner, limit: 1) == nil)
      }
      #expect(mkfifo("\(directory)/pipe", 0o600) == 0)
      for path in ["pipe", "circle", ""] {
        #expect(throws: SecretFileError.self) {
          try SecretFile("\(directory)/\(path)", for: .owner, limit: 1)
        }
      }
    }
  }

  @Test func `a file is read only up to the limit`() throws {
    try withDirectory { directory in
      try make("\(directory)/key")
      let file = try SecretFile("\(directory)/key", for: .owner, limit: 3)
      #expect(file?.bytes == Array("sec".utf8))
    }
  }

  @Test func `a link that is constantly replaced leads to the old target or the new target`() throws
  {
    try withDirectory { directory in
      for name in ["a", "b"] { try make("\(directory)/\(name)") }
      let path = "\(directory)/key"
      try link(path, to: "a")
      let thread = Thread {
        while !Thread.current.isCancelled {
          for name in ["a", "b"] {
            guard symlink(name, "\(path).new") == 0, rename("\(path).new", path) == 0 else {
              return
            }
          }
        }
      }
      thread.start()
      defer { thread.cancel() }
      var found = 0
      for _ in 0..<300 where (try? SecretFile(path, for: .owner, limit: 100)) != nil { found += 1 }
      #expect(found > 0)
    }
  }
}
