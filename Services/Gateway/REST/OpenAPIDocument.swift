/// The OpenAPI 3.1 description of `/carillon/v1/`, from the file beside this one.
enum OpenAPIDocument {
  static var bytes: [UInt8] { PackageResources.openapi_json }
}
