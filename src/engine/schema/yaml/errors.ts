/**
 * Syntax errors of YAML with the messages and line numbers of sigs.k8s.io/yaml (recordings
 * `wire-bodies`, `apply-basics`).
 */

/**
 * A body that is not YAML; the message is kube-apiserver's (`yaml: line 2: mapping values are not
 * allowed in this context`).
 */
export class YamlSyntaxError extends Error {
  constructor(problem: string) {
    super(`yaml: ${problem}`)
  }
}

/** @param line counted from zero; the first is not named */
export const scannerProblem = (problem: string, line: number): YamlSyntaxError =>
  new YamlSyntaxError(line === 0 ? problem : `line ${line + 1}: ${problem}`)

/** The parser reports the zero-based line number, so it names the line before. */
export const parserProblem = (problem: string, line: number): YamlSyntaxError =>
  new YamlSyntaxError(line === 0 ? problem : `line ${line}: ${problem}`)

export const tooDeep = (levels: number, line = 0): YamlSyntaxError =>
  scannerProblem(`exceeded max depth of ${levels}`, line)
