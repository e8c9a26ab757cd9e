/// The longest run of numbers that grow from left to right, in n log n steps.
enum LongestRun {
  /// The places of the numbers of the run; the others have to move for all to be in order.
  static func increasing(_ numbers: [Int]) -> [Int] {
    // For each length the place of the smallest number that ends a run of it.
    var ends: [Int] = []
    var before = [Int?](repeating: nil, count: numbers.count)
    for (place, number) in numbers.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      before[place] = low > 0 ? ends[low - 1] : nil
      if low == ends.count { ends.append(place) } else { ends[low] = place }
    }
    var run: [Int] = []
    var place = ends.last
    while let current = place {
      run.append(current)
      place = before[current]
    }
    return run.reversed()
  }
}
