/// The version of the program and of the libraries, in the only place that says it: `scripts/release` reads it here, and
/// `InstallTests` compares the changelog.
let programVersion = "0.1.0"
