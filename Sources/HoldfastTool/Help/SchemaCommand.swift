extension Command {
  /// `holdfast schema`: the JSON Schema of the answers.
  static let schemaCommand = Command(
    name: "schema",
    summary: "prints the JSON Schema of the answers for programs",
    usage: "",
    options: [],
    examples: """
      holdfast schema > answer.schema.json
          for verify, explain, connect, get, batch, ct and pins simulate; each line is an answer
      """,
    run: schema)

  private static func schema(_ call: Invocation) throws(UsageError) -> ExitStatus {
    guard call.operands.isEmpty else { throw .conflict("schema takes no operands") }
    call.console.write(PackageResources.answer_schema_json)
    return .trusted
  }
}
