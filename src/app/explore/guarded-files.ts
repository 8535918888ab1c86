// Changed files that decide what counts as right: an attempt that changed them may have passed because of that. Pure.

const TESTS = /(?:^|\/)(?:tests?|__tests__|specs?)\/|\.(?:test|spec)\.[^/]+$|(?:^|\/)test_[^/]+$|_test\.[^/.]+$/
const SERVERS = /^(?:\.github\/|\.circleci\/|\.gitlab-ci\.ya?ml$|\.travis\.yml$|azure-pipelines\.ya?ml$|Jenkinsfile$)/
const LOCKS =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|Gemfile\.lock|composer\.lock|go\.sum|mix\.lock)$/
/** What a command reads to know what to do. */
const RUNS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:npm|npx|yarn|pnpm|bun)\b/, /(?:^|\/)package\.json$/],
  [/^make\b/, /(?:^|\/)(?:GNUm|M|m)akefile$/],
  [/^(?:pytest|tox|python3? -m pytest)\b/, /(?:^|\/)(?:pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini|conftest\.py)$/],
  [/^(?:just)\b/, /(?:^|\/)[jJ]ustfile$/],
]

export function guardedAmong(paths: readonly string[], checks: readonly string[]): string[] {
  return paths.filter((path) => TESTS.test(path) || SERVERS.test(path) || LOCKS.test(path) || isRunBy(path, checks))
}

function isRunBy(path: string, checks: readonly string[]): boolean {
  return checks.some((check) => {
    if (RUNS.some(([command, file]) => command.test(check.trim()) && file.test(path))) return true
    return programsIn(check).includes(path)
  })
}

/** What a command line runs: the first word of each command, or the second after an interpreter. */
function programsIn(line: string): string[] {
  return line.split(/[;&|]+/).flatMap((command) => {
    const [first = "", second = ""] = command.trim().split(/\s+/)
    return [INTERPRETER.test(first) ? second : first].map((word) => word.replace(/^\.\//, ""))
  })
}

const INTERPRETER = /^(?:(?:ba|da|z)?sh|node|python3?|ruby|perl)$/
