extension Command {
  /// `holdfast generate`: what belongs to the tool, made of the commands as they are.
  static let generateCommand = Command(
    name: "generate",
    summary: "prints the man page, shell completions or the JSON Schema",
    usage: Product.names.joined(separator: "|"),
    options: [],
    choices: Product.names,
    examples: """
      holdfast generate man > /usr/local/share/man/man1/holdfast.1
          the man page, in roff
      source <(holdfast generate bash)
          completions for this session; put it into ~/.bashrc to keep it
      holdfast generate schema > answer.schema.json
          the JSON Schema of answers, and of what a command that fails says to programs
      holdfast generate zsh > "${fpath[1]}/_holdfast"
          completions for every session; the next one has them
      holdfast generate fish > ~/.config/fish/completions/holdfast.fish
          the same for fish
      """,
    run: generate)

  /// What is printed.
  private enum Product: String, Choice { case man, schema, bash, zsh, fish }

  private static func generate(_ call: Invocation) throws(UsageError) -> ExitStatus {
    guard call.operands.count == 1 else {
      throw .conflict("name one thing to print: \(listed(Product.names))")
    }
    let completions = Completions(commands: all)
    switch try Product.read(call.operands[0], "generate") {
    case .man: call.console.write(ManualPage(commands: all).text)
    case .schema: call.console.write(PackageResources.answer_schema_json)
    case .bash: call.console.write(completions.bash)
    case .zsh: call.console.write(completions.zsh)
    case .fish: call.console.write(completions.fish)
    }
    return .trusted
  }
}
