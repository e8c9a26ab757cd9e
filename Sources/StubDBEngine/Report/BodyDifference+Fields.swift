import StubDBModel

extension BodyDifference {
  mutating func compare(_ fields: [NamedPattern]) {
    let items: [URLParts.QueryItem]
    switch body.form {
    case .value(let value): items = value
    case .empty: items = []
    case .malformed, .unknown: return
    }
    var total = 0.0
    for field in fields {
      let found = BodyMatching.values(of: field.name, in: items)
      guard matching.values.matches(found, field.pattern, in: body.context) != true else {
        continue
      }
      total += distances.between(found.values, field.pattern)
      let expected = field.shownPattern.phrase
      let actual = Phrase.actual(found.values, of: field.name)
      add("form \(field.name)", expected, Phrase.notEqual(actual, expected))
    }
    distance = total / Double(max(1, fields.count))
  }

  mutating func compare(_ patterns: [PartPattern]) {
    let parts: [PreparedPart]
    switch body.parts {
    case .value(let value): parts = value
    case .malformed(let reason):
      add("body", BodyPattern.multipart(patterns).phrase, reason)
      return
    case .empty, .unknown: return
    }
    var total = 0.0
    for pattern in patterns where !parts.contains(where: { matching.matches($0, pattern) == true })
    {
      let named = parts.filter { part in pattern.name.map { $0 == part.name } ?? true }
      guard let nearest = named.first else {
        let names = parts.prefix(20).map { $0.name ?? "(without a name)" }
        add(pattern.title, pattern.phrase, "no such part; there is " + Phrase.list(names))
        total += 1
        continue
      }
      let before = mismatches.count
      compare(pattern, nearest)
      total +=
        Double(mismatches.count - before) / Double(pattern.body.count + pattern.headers.count + 2)
    }
    distance = min(1, total / Double(max(1, patterns.count)))
  }

  private mutating func compare(_ pattern: PartPattern, _ part: PreparedPart) {
    let title = pattern.name == nil ? "part \(part.name ?? "without a name")" : pattern.title
    let context = body.context
    if let filename = pattern.filename,
      matching.values.matches(part.filename, filename, in: context) != true
    {
      add("\(title) filename", filename.phrase, Phrase.actual(part.filename.map { [$0] } ?? []))
    }
    for header in pattern.headers {
      let found = part.values(ofHeader: header.name)
      guard matching.values.matches(found, header.pattern, in: context) != true else { continue }
      add(
        "\(title) header \(header.name)", header.shownPattern.phrase,
        Phrase.actual(found.values, of: header.name))
    }
    for inner in pattern.body where matching.matches(part.body, inner) != true {
      let isSecret = !SecretDisplay.isShown && SensitiveName(part.name ?? "") != .none
      for mismatch in BodyDifference(inner, part.body, matching).mismatches {
        var mismatch = mismatch
        if isSecret {
          mismatch.expected = inner.hidingSecrets(of: part.name ?? "").phrase
          mismatch.actual = SecretDisplay.secret(mismatch.actual)
        }
        mismatch.part = "\(title) \(mismatch.part)"
        mismatches.append(mismatch)
      }
    }
  }
}
