import Foundation
import MeetingModel
import Secrets
import ServiceHost

/// The reader of the branding file (`--web-branding`) and of the logo that this file names.
struct BrandingFile {
  private let path: String

  private static let largestFile = 65_536

  /// The largest logo in bytes. With a logo of this size, the lobby's form still needs less than 50
  /// KB.
  static let largestLogo = 24_576

  private static let mostLinks = 6

  /// Reads and checks a branding file.
  ///
  /// - Throws: ``HostError/configuration(_:)`` if the file or its logo cannot be read, or if a
  ///   member is wrong. The message contains the name of the member.
  static func branding(in path: String) throws(HostError) -> Branding {
    try BrandingFile(path: path).branding()
  }

  private func branding() throws(HostError) -> Branding {
    let bytes = try bytes(of: path, limit: Self.largestFile)
    let json: JSONValue
    do throws(JSONError) { json = try JSONParser.parse(bytes) } catch {
      throw problem("the file is \(error.problem) at byte \(error.position).")
    }
    guard case .object(let members) = json else { throw problem("the file must be a JSON object.") }
    let (found, logo): (Branding, String?)
    do throws(RESTError) { (found, logo) = try Self.parsed(members) } catch {
      throw problem(error.message)
    }
    guard let logo else { return found }
    var branding = found
    branding.logo = try self.logo(logo)
    return branding
  }

  // MARK: Members

  private static func parsed(
    _ members: [String: JSONValue]
  ) throws(RESTError) -> (Branding, logo: String?) {
    let file = JSONMembers(members)
    try check(file, has: ["name", "logo", "colors", "links"])
    var branding = Branding()
    branding.name = try file.text("name") { (text) throws(InvalidModelValue) in
      try DisplayName(typed: text)
    }?.text
    if let colors = try file.object("colors") {
      try check(colors, has: ["light", "dark"])
      branding.light = try Self.colors("light", in: colors, .light)
      branding.dark = try Self.colors("dark", in: colors, .dark)
    }
    for link in try file.objects("links", 0...mostLinks) ?? [] {
      try branding.links.append(Self.link(link))
    }
    return (branding, try file.string("logo"))
  }

  /// Rejects members whose names the file may not contain, such as misspelt names.
  private static func check(
    _ members: JSONMembers, has names: Set<String>
  ) throws(RESTError) {
    guard case .object(let found) = members.value else { return }
    for name in found.keys.sorted() where !names.contains(name) {
      throw members.wrong(name, "is unknown; known are \(names.sorted().joined(separator: ", "))")
    }
  }

  private static func colors(
    _ scheme: String, in members: JSONMembers, _ palette: BrandColors.Palette
  ) throws(RESTError) -> BrandColors {
    guard let own = try members.object(scheme) else { return BrandColors() }
    try check(own, has: ["accent", "background"])
    let colors = BrandColors(
      accent: try color("accent", in: own), background: try color("background", in: own))
    guard let conflict = colors.conflict(in: palette) else { return colors }
    let contrast = (conflict.contrast * 100).rounded(.down) / 100
    throw own.wrong(
      conflict.member,
      "has a contrast of only \(contrast) with the color \(conflict.other) of css/base.css; "
        + "text needs \(BrandColors.leastContrast)")
  }

  private static func color(
    _ name: String, in members: JSONMembers
  ) throws(RESTError) -> HexColor? {
    guard let text = try members.string(name) else { return nil }
    guard let color = HexColor(text) else { throw members.wrong(name, "must be #RRGGBB") }
    return color
  }

  private static func link(_ members: JSONMembers) throws(RESTError) -> Branding.Link {
    try check(members, has: ["text", "url"])
    let text = try members.text("text") { (text) throws(InvalidModelValue) in
      try DisplayName(typed: text)
    }
    let url = try members.required("url", members.string("url"))
    guard url.utf8.count <= 512, url.hasPrefix("https://") || url.hasPrefix("mailto:"),
      url.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw members.wrong(
        "url", "must be https://… or mailto:…, in at most 512 ASCII characters without spaces")
    }
    return Branding.Link(text: try members.required("text", text).text, url: url)
  }

  // MARK: Files

  /// Reads a logo, whose path is relative to the folder of the file.
  private func logo(_ name: String) throws(HostError) -> Branding.Logo {
    let folder = URL(filePath: path).deletingLastPathComponent()
    let ending = URL(filePath: name).pathExtension.lowercased()
    let bytes = try bytes(
      of: URL(filePath: name, relativeTo: folder).path, limit: Self.largestLogo)
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let isValid =
      switch ending {
      case "svg": String(validating: bytes, as: UTF8.self)?.contains("<svg") == true
      case "png": bytes.starts(with: png)
      default: false
      }
    guard isValid else { throw problem("logo must name an SVG or PNG picture; got \(name).") }
    return Branding.Logo(path: "/logo.\(ending)", bytes: bytes)
  }

  private func bytes(of path: String, limit: Int) throws(HostError) -> [UInt8] {
    let file: SecretFile?
    do throws(SecretFileError) {
      file = try SecretFile(path, for: .everybody, limit: limit + 1)
    } catch {
      throw problem("\(path) cannot be used: \(error.problem)")
    }
    guard let file else {
      throw problem("\(path) does not exist; create it, or name another file.")
    }
    guard file.bytes.count <= limit else { throw problem("\(path) exceeds \(limit) bytes.") }
    return file.bytes
  }

  private func problem(_ text: String) -> HostError {
    .configuration("--web-branding \(path): \(text)")
  }
}
