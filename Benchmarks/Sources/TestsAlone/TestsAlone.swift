import Foundation
import MeasuredTests

@main enum TestsAlone {
  static func main() async { exit(await MeasuredTests.run()) }
}
