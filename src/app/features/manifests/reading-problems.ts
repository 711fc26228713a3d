import type { LineCounter } from 'yaml'
import type { TextProblem } from '../editor/text-marks'
import { type Problem, parseManifest } from './documents'

/** @returns positions in the text */
export function readingProblems(text: string, of?: 'objects' | 'values'): TextProblem[] {
  const { problems, lines } = parseManifest(text, of)
  return problems.map((problem) => textProblem(problem, lines, text))
}

function textProblem(
  { message, severity, startLine, startColumn, endLine, endColumn }: Problem,
  { lineStarts }: LineCounter,
  text: string,
): TextProblem {
  const offset = (line: number, column: number) =>
    Math.min((lineStarts[line - 1] ?? 0) + column - 1, lineStarts[line] ?? text.length, text.length)
  return {
    message,
    severity,
    start: offset(startLine, startColumn),
    end: offset(endLine, endColumn),
  }
}
