import Testing

@testable import Gateway

@Suite struct JavaScriptModuleImportsTests {
  private let text = """
    /** Says `import("./no.js")`. */
    import { one } from "./one.js";
    import {
      two,
      three,
    } from "../shared/two.js";
    import "./effects.js";
    export { four } from "./four.js";
    export * from "../../top.js";
    import later from "package";
    const lazy = () => import("./lazy.js");
    export const path = "./text.js";
    export function five() {
      return "./six.js";
    }
    """

  @Test func `the imports of a module are the modules that run before this module, in order`() {
    #expect(
      JavaScriptModuleImports.statics(in: text, at: "/js/meet/main.js") == [
        "/js/meet/one.js", "/js/shared/two.js", "/js/meet/effects.js", "/js/meet/four.js",
        "/top.js",
      ])
  }

  @Test func `every dependency of a module is found once, even in cycles`() {
    let modules = [
      "/a.js": "import \"./b.js\";\nimport \"./c.js\";", "/b.js": "import { a } from \"./a.js\";",
      "/c.js": "export { b } from \"./b.js\";\nimport \"./d.js\";\nimport \"./gone.js\";",
      "/d.js": "",
    ]
    let found = JavaScriptModuleImports.closure(of: "/a.js") { modules[$0] }
    #expect(found == ["/a.js", "/b.js", "/c.js", "/d.js"])
  }

  @Test func `malformed import statements name no modules`() {
    for text in [
      "", "import", "import ", "import {", "import { a } from \"./a.js", "import x;\n\"./y.js\"",
      "import \"../../../above.js\";", "export {\n" + String(repeating: "a,\n", count: 100),
    ] {
      #expect(JavaScriptModuleImports.statics(in: text, at: "/js/a.js") == [])
    }
  }
}
