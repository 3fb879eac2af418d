/// One printed record of a command's output: named fields in a fixed order.
///
/// The names are part of the command line's interface, and do not change between releases.
package struct OutputRecord: Hashable, Sendable {
  package struct Field: Hashable, Sendable {
    package let name: String
    package var value: JSONValue

    package init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  package var fields: [Field]

  package init(_ fields: [Field] = []) { self.fields = fields }

  /// The record as one line of JSON.
  package var json: String {
    let members = fields.map { "\(JSONValue.quoted($0.name)): \($0.value.json)" }
    return "{\(members.joined(separator: ", "))}"
  }

  /// The record with one field per line and the values in one column.
  package var text: String {
    let width = fields.map(\.name.count).max() ?? 0
    return fields.map { field in
      let gap = String(repeating: " ", count: width - field.name.count + 2)
      return field.name + gap + field.value.text
    }.joined(separator: "\n")
  }

  /// Returns a table with a header and a row for each record; empty if there are no records.
  ///
  /// A record may lack fields of other records. The table shows `-` for a missing field.
  package static func table(_ records: [OutputRecord]) -> String {
    let names = columns(of: records)
    guard !names.isEmpty else { return "" }
    let rows = [names] + records.map { record in names.map { (record[$0] ?? .null).text } }
    let widths = names.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        column == row.count - 1
          ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
      }
      return cells.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  /// Returns the names of all fields. If the earlier records lack a name, the method inserts the
  /// name directly after the name that precedes it in the current record.
  private static func columns(of records: [OutputRecord]) -> [String] {
    var names: [String] = []
    for record in records {
      var place = 0
      for field in record.fields {
        if let known = names.firstIndex(of: field.name) {
          place = known + 1
        } else {
          names.insert(field.name, at: place)
          place += 1
        }
      }
    }
    return names
  }

  package subscript(name: String) -> JSONValue? {
    get { fields.first { $0.name == name }?.value }
    set {
      if let index = fields.firstIndex(where: { $0.name == name }) {
        if let newValue { fields[index].value = newValue } else { fields.remove(at: index) }
      } else if let newValue {
        fields.append(Field(name: name, value: newValue))
      }
    }
  }
}

extension OutputRecord: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }
}
