import Holdfast

@main
struct UsesHoldfast {
  static func main() {}
}
