import Foundation
import MeasuredTests

@main enum TestsWithJournals {
  static func main() async { exit(await MeasuredTests.run()) }
}
