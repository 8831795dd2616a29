import Foundation
import HoldfastTool
import TestSupport
import Testing

@Suite("Command line") struct CommandTests {
  @Test(
    "for a misspelt word, the nearest name is suggested",
    arguments: [
      (["insepct"], "did you mean inspect?"), (["pni", "x"], "did you mean pin?"),
      (["inspect", "--jsno", "x"], "did you mean --json?"),
      (["pin", "--crul", "x"], "did you mean --curl?"),
    ])
  func suggestions(words: [String], text: String) {
    let console = Console(captured: true)
    #expect(Command.run(words, console) == .notUnderstood)
    #expect(console.messageText.contains(text))
    #expect(console.resultText.isEmpty)
  }

  @Test(
    "a contradictory command line is rejected with the reason",
    arguments: [
      (["pin"], "name a file, or - for standard input"),
      (["pin", "-", "-"], "standard input can be read only once"),
      (["pin", "--hex", "--curl", "x"], "--hex and --curl cannot be used together"),
      (["inspect", "--at"], "--at needs a value: --at TIME"),
      (["inspect", "--at", "soon", "x"], "--at soon: expected a time"),
      (["inspect", "--at", "2026-01-01", "--at", "2027-01-01", "x"], "given more than once"),
      (["inspect", "--json=1", "x"], "--json takes no value"),
      (["convert", "x"], "--to pem|der is missing"),
      (["convert", "--to", "xml", "x"], "--to xml: expected pem or der"),
      (["frobnicate-everything"], "there is no command frobnicate-everything (holdfast --help"),
    ])
  func rejected(words: [String], text: String) {
    let console = Console(captured: true)
    #expect(Command.run(words, console) == .notUnderstood)
    #expect(console.messageText.contains(text))
  }

  @Test("every command has help with examples", arguments: CLIRun.commands)
  func help(name: String) {
    let cli = CLIRun(name, "--help")
    #expect(cli.status == .success)
    #expect(cli.results.contains("usage: holdfast \(name)"))
    #expect(cli.results.contains("examples:\n"))
    #expect(cli.results == CLIRun("help", name).results)
    #expect(cli.results.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test("help lists fourteen commands")
  func overview() { #expect(CLIRun.commands.count == 14) }

  @Test("words after -- are not options")
  func operands() {
    #expect(CLIRun("pin", "--", "--hex").messages.contains("--hex: No such file"))
  }

  @Test("pins are printed in the notations of other systems")
  func pins() {
    let path = CLIRun.demo("root.pem")
    let base64 = "3SONQBy5VsS6Am39ZjgoZ7tmC+j1D2K6cje4Xp5l9YQ="
    let hex = "dd238d401cb956c4ba026dfd66382867bb660be8f50f62ba7237b85e9e65f584"
    let subject = "CN=Demo Root X1,O=Demo Trust,C=SE"
    #expect(CLIRun("pin", path).results == "sha256/\(base64)  \(subject)\n")
    #expect(CLIRun("pin", "--curl", path).results == "sha256//\(base64)  \(subject)\n")
    #expect(CLIRun("pin", "--hex", path).results == "\(hex)  \(subject)\n")
    let json = CLIRun("pin", "--json", path).results
    for text in ["sha256/\(base64)", "sha256//\(base64)", hex, subject] {
      #expect(json.contains("\"\(text)\""))
    }
  }
}

@Suite("holdfast convert") struct ConvertTests {
  @Test("PEM to DER and back gives the same text")
  func roundTrip() throws {
    let scratch = try ScratchFolder()
    let path = "\(scratch.path)/root.der"
    #expect(
      CLIRun("convert", "--to", "der", CLIRun.demo("root.pem"), "-o", path).status == .success)
    #expect(CLIRun("convert", "--to", "pem", path).bytes == (try CLIRun.demoBytes("root.pem")))
    let direct = CLIRun("convert", "--to=der", CLIRun.demo("root.pem")).bytes
    #expect(direct == Array(try Data(contentsOf: URL(fileURLWithPath: path))))
  }

  @Test("a file that exists is replaced only with --force")
  func replacing() throws {
    let scratch = try ScratchFolder()
    let path = try scratch.file("precious", [1, 2, 3])
    let rejected = CLIRun("convert", "--to", "der", CLIRun.demo("root.pem"), "-o", path)
    #expect(rejected.status == .notUnderstood)
    #expect(rejected.messages == "holdfast: \(path): File exists; --force replaces it\n")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1, 2, 3]))
    let forced = CLIRun("convert", "--to", "der", CLIRun.demo("root.pem"), "-o", path, "--force")
    #expect(forced.status == .success)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count > 3)
  }

  @Test("several certificates become DER only in a named directory")
  func several() throws {
    let scratch = try ScratchFolder()
    let chain = CLIRun.demo("chain.pem")
    #expect(CLIRun("convert", "--to", "der", chain).messages.contains("name a --directory"))
    let parts = "\(scratch.path)/parts"
    #expect(CLIRun("convert", "--to", "der", chain, "--directory", parts).status == .success)
    let names = try FileManager.default.contentsOfDirectory(atPath: parts).sorted()
    #expect(names == ["1-certificate.der", "2-certificate.der"])
    let again = CLIRun("convert", "--to", "pem", "\(parts)/\(names[0])", "\(parts)/\(names[1])")
    #expect(again.bytes == (try CLIRun.demoBytes("chain.pem")))
  }
}
