/** sigs.k8s.io/yaml's messages and line numbers (recordings `wire-bodies`, `apply-basics`). */

/** `yaml: line 2: mapping values are not allowed in this context` */
export class YamlSyntaxError extends Error {
  constructor(problem: string) {
    super(`yaml: ${problem}`)
  }
}

/** @param line from zero; the first is not named */
export const scannerProblem = (problem: string, line: number): YamlSyntaxError =>
  new YamlSyntaxError(line === 0 ? problem : `line ${line + 1}: ${problem}`)

/** sigs.k8s.io/yaml reports the zero-based line of parser errors, which is the line before. */
export const parserProblem = (problem: string, line: number): YamlSyntaxError =>
  new YamlSyntaxError(line === 0 ? problem : `line ${line}: ${problem}`)

export const tooDeep = (levels: number, line = 0): YamlSyntaxError =>
  scannerProblem(`exceeded max depth of ${levels}`, line)
