import Foundation

/// A response whose content comes in pieces, and how it ends.
struct PiecewiseAnswer: Sendable {
  /// Something that happens some time after what came before it.
  struct Step: Sendable {
    var after: Duration
    /// Nil for nothing more, ever.
    var event: ClientEvent?
    /// Whether nothing comes meanwhile; false where content comes that the client is not told of.
    var isIdle = true
  }

  let head: AnswerHead
  /// Each with the time after the piece before it.
  var pieces: [(after: Duration, content: Data)]
  let ending: Ending

  enum Ending: Sendable {
    case complete
    case failure(any Error)
    case silence
  }

  /// What the client is told.
  ///
  /// On Linux a task with a completion handler keeps only the last piece it is given: it gets all of them as one, when
  /// the last one comes. Content that comes keeps its time-out away all the same; `idleLimit` is how long it waits for
  /// the next piece.
  func steps(isIncremental: Bool, idleLimit: Duration?) -> [Step] {
    isIncremental ? incrementalSteps : [coalescedStep(idleLimit: idleLimit)]
  }

  private var incrementalSteps: [Step] {
    var steps = [Step(after: .zero, event: .response(head))]
    for piece in pieces {
      steps.append(Step(after: piece.after, event: .content(piece.content)))
    }
    switch ending {
    case .complete: steps.append(Step(after: .zero, event: .finish))
    case .failure(let error): steps.append(Step(after: .zero, event: .failure(error)))
    case .silence: steps.append(Step(after: .zero, event: nil))
    }
    return steps
  }

  private func coalescedStep(idleLimit: Duration?) -> Step {
    if let idleLimit, let late = pieces.firstIndex(where: { $0.after >= idleLimit }) {
      let time = pieces[..<late].reduce(Duration.zero) { $0 + $1.after }
      return Step(after: time, event: nil, isIdle: false)
    }
    let time = pieces.reduce(Duration.zero) { $0 + $1.after }
    switch ending {
    case .complete:
      var content = Data(capacity: pieces.reduce(0) { $0 + $1.content.count })
      for piece in pieces { content.append(piece.content) }
      return Step(after: time, event: .whole(head, content), isIdle: false)
    case .failure(let error):
      return Step(after: time, event: .failure(error), isIdle: false)
    case .silence:
      return Step(after: time, event: nil, isIdle: false)
    }
  }
}
