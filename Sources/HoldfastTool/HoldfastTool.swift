@main
struct HoldfastTool {
  static func main() {}
}
