import StubDBModel
import StubDBSecrets

/// A finding on one line.
enum FindingView {
  static func line(_ finding: SecretFinding) -> String {
    let place = [finding.scenario.rawValue, finding.key.map(Printable.line)]
      .compactMap { $0 }.joined(separator: " ")
    return "\(Style.output.bold(place)) \(Printable.line(finding.pointer.description)): "
      + "\(name(of: finding.kind)), \(finding.secret.byteCount) bytes"
  }

  static func name(of kind: SecretKind) -> String {
    switch kind {
    case .bearerToken: "bearer token"
    case .basicCredentials: "basic credentials"
    case .jwt: "JSON web token"
    case .awsAccessKey: "AWS access key"
    case .awsSecretKey: "AWS secret key"
    case .gitHubToken: "GitHub token"
    case .gitLabToken: "GitLab token"
    case .slackToken: "Slack token"
    case .stripeKey: "Stripe key"
    case .googleKey: "Google key"
    case .openAIKey: "API key (sk-…)"
    case .sendGridKey: "SendGrid key"
    case .npmToken: "npm token"
    case .pyPIToken: "PyPI token"
    case .privateKey: "private key"
    case .sessionCookie: "session identifier"
    case .urlCredentials: "password in a URL"
    case .password: "password"
    case .namedSecret: "random value that is named a secret"
    }
  }
}
