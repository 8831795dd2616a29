import HoldfastAnswers
import TestSupport
import Testing

@testable import HoldfastTool

/// Where boxes stand, and where lines run.
@Suite("Pictures of paths") struct PictureTests {
  private func picture(_ count: Int, _ links: [(issuer: Int, subject: Int)]) -> Picture {
    var picture = Picture()
    for number in 0..<count {
      _ = picture.add(
        Picture.Node(title: "\(number)", details: [], kind: number == 0 ? .leaf : .authority))
    }
    for link in links {
      picture.add(Picture.Edge(issuer: link.issuer, subject: link.subject, mark: .linked))
    }
    picture.layOut()
    return picture
  }

  @Test("an issuer stands behind what it has issued, also where another way to the root is shorter")
  func twoWays() {
    // 3 has issued 2 and 4; 2 has issued 1; 1 and 4 have issued the leaf.
    let picture = self.picture(5, [(1, 0), (2, 1), (3, 2), (4, 0), (3, 4)])
    #expect(picture.nodes.map(\.column) == [0, 1, 2, 3, 1])
    #expect(picture.nodes.map(\.row) == [0, 0, 0, 0, 1])
    // The line from 3 to 4 passes the column of 2, where row 1 is free.
    let passage = picture.passage(of: picture.edges[4])
    #expect(passage?.row == 1 && passage?.isGap == false)
    #expect(picture.passage(of: picture.edges[0]) == nil)
  }

  @Test("a CA that no line leads to stands with the roots, and a circle has an end")
  func others() {
    #expect(picture(4, [(1, 0), (2, 1)]).nodes.map(\.column) == [0, 1, 2, 2])
    let circle = self.picture(3, [(1, 0), (2, 1), (1, 2)])
    #expect(circle.nodes.map(\.column) == [0, 1, 2])
  }

  private struct Point {
    let x: Double, y: Double

    /// Their mean, weighted.
    static func mix(_ a: Point, _ b: Point, _ t: Double) -> Point {
      Point(x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t)
    }
  }

  private struct Box {
    let x: Double, y: Double, width: Double, height: Double

    func holds(_ point: Point) -> Bool {
      point.x > x && point.x < x + width && point.y > y && point.y < y + height
    }
  }

  private func numbers(_ text: Substring) -> [Double] {
    text.split { !"0123456789".contains($0) }.compactMap { Double($0) }
  }

  private func boxes(of svg: String) -> [Box] {
    svg.matches(of: #/<rect class="box"([^>]*) rx/#).map { found in
      let all = numbers(found.1)
      return Box(x: all[0], y: all[1], width: all[2], height: all[3])
    }
  }

  /// Points on the lines of a picture: straight ones, and curves by de Casteljau's construction.
  private func points(of svg: String) -> [Point] {
    var points: [Point] = []
    for path in svg.matches(of: #/<path d="M([^"]*)"/#) {
      let pieces = path.1.replacing("C", with: "|").replacing("L", with: "|").split(separator: "|")
      var last: Point?
      for piece in pieces {
        let all = numbers(piece)
        var corners = stride(from: 0, to: all.count, by: 2).map {
          Point(x: all[$0], y: all[$0 + 1])
        }
        let end = corners[corners.count - 1]
        if let last {
          corners.insert(last, at: 0)
          for step in 0...50 {
            var rest = corners
            while rest.count > 1 {
              rest = zip(rest, rest.dropFirst()).map { Point.mix($0, $1, Double(step) / 50) }
            }
            points += rest
          }
        }
        last = end
      }
    }
    return points
  }

  @Test("no line runs behind a box, whoever has issued whom")
  func lines() {
    var random = SeededNumbers(seed: 7)
    for _ in 0..<100 {
      let count = Int.random(in: 2...9, using: &random)
      // Each may have issued those of lower numbers.
      let links = (0..<count).flatMap { issuer in
        (0..<issuer).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
          .map { (issuer: issuer, subject: $0) }
      }
      let picture = self.picture(count, links)
      #expect(
        picture.edges.allSatisfy {
          picture.nodes[$0.issuer].column > picture.nodes[$0.subject].column
        })
      for direction in [Picture.Direction.rightwards, .downwards] {
        let svg = picture.svg(direction)
        let (boxes, points) = (self.boxes(of: svg), self.points(of: svg))
        #expect(boxes.count == count)
        #expect(points.count >= 51 * picture.edges.count)
        #expect(!points.contains { point in boxes.contains { $0.holds(point) } }, "\(links)")
      }
    }
  }

  @Test("a leaf that breaks a rule on one of two paths alone says on which, and is not in red")
  func onePathAlone() {
    let page = CLIRun(
      "verify", CommittedVectors.path("causes/path-length.pem"), "--anchors",
      CommittedVectors.path("causes/path-length.anchor.pem"), "--at", "2026-06-15T12:00:00Z",
      "--host",
      "www.causes.example", "--html", "-"
    ).results
    #expect(page.contains("<g class=\"leaf\">") && !page.contains("<g class=\"leaf wrong\">"))
    #expect(page.contains("on path 2: signature does not verify"))
    // What breaks a rule on each path that it is on.
    #expect(page.contains("<g class=\"authority wrong\">"))
  }
}
