/// A separate `URLProtocol` class for every `Tag`.
///
/// Classes cannot be declared at run time on Linux, but generic ones are instantiated there. The number of a class is
/// spelled in binary as a type, so there is no limit to their number.
final class NumberedClass<Tag>: StubURLProtocol {}

extension NumberedClass where Tag == ClassNumber.End {
  /// The class with this number, 0 and up; the same number always gives the same class.
  static func number(_ number: Int) -> StubURLProtocol.Type {
    // A leading bit distinguishes 1, 01 and 001.
    spelled(ClassNumber.End.self, rest: number + 2)
  }

  private static func spelled<Digits>(_: Digits.Type, rest: Int) -> StubURLProtocol.Type {
    guard rest > 1 else { return NumberedClass<Digits>.self }
    return rest & 1 == 1
      ? spelled(ClassNumber.One<Digits>.self, rest: rest >> 1)
      : spelled(ClassNumber.Zero<Digits>.self, rest: rest >> 1)
  }
}

/// The digits of a class number.
enum ClassNumber {
  enum End {}
  enum Zero<Rest> {}
  enum One<Rest> {}
}
