/**
 * Syntax errors of YAML, in the words and of the lines of the real server's library (recorded: wire-bodies, "malformed-yaml";
 * apply-basics, "invalid-yaml").
 */

/** A body that is not YAML; the message is the real server's (`yaml: line 2: mapping values are not allowed in this context`). */
export class YamlSyntaxError extends Error {
  constructor(problem: string) {
    super(`yaml: ${problem}`)
  }
}

/** @param line counted from zero; the first is not named */
export const scannerProblem = (problem: string, line: number): YamlSyntaxError =>
  new YamlSyntaxError(line === 0 ? problem : `line ${line + 1}: ${problem}`)

/** The parser takes the number of the line as it is counted, from zero: it names the line before. */
export const parserProblem = (problem: string, line: number): YamlSyntaxError =>
  new YamlSyntaxError(line === 0 ? problem : `line ${line}: ${problem}`)

export const tooDeep = (levels: number, line = 0): YamlSyntaxError =>
  scannerProblem(`exceeded max depth of ${levels}`, line)
