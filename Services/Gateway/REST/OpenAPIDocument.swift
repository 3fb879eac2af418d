/// The OpenAPI 3.1 description of `/carillon/v1/`, from a file in the same folder.
enum OpenAPIDocument {
  static var bytes: [UInt8] { PackageResources.openapi_json }
}
