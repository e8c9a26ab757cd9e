import Foundation
import StubDBCatalog

/// The part of `stubdb demo` that plays a scenario against a real URLSession.
///
/// A program of its own, since loading Foundation's networking and the forty libraries behind it would make every other
/// command of stubdb start four times as slowly on Linux.
/// Arguments: a catalog and the name of a scenario. Prints a line for each customer.
@main
enum StubDBDemo {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      fail("usage: stubdb-demo CATALOG SCENARIO, as stubdb demo runs it", code: 64)
    }
    do {
      let catalog = try Catalog(contentsOf: URL(fileURLWithPath: arguments[1]))
      for line in try await Customers(catalog: catalog, scenario: arguments[2]).pay() {
        print(line)
      }
    } catch {
      fail("stubdb-demo: \(error)", code: 1)
    }
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(code)
  }
}
