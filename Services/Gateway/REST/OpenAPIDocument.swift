/// The description of `/carillon/v1/` in OpenAPI 3.1, which lies beside this file.
enum OpenAPIDocument {
  static var bytes: [UInt8] { PackageResources.openapi_json }
}
