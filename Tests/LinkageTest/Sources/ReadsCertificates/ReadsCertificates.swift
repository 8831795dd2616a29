import HoldfastCertificates

@main
struct ReadsCertificates {
  static func main() {}
}
