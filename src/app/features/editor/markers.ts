import type { LineCounter } from 'yaml'
import {
  lineProblem,
  locate,
  type ManifestDocument,
  manifestSteps,
  type Problem,
  rangeProblem,
} from '../manifests/documents'
import type { Result } from '../manifests/run'

/**
 * @param text as sent
 * @param now the current text; errors on changed lines are dropped
 */
export function* serverProblems(
  results: readonly Result[],
  text: string,
  now: string,
): Generator<undefined, Problem[]> {
  const noted = results.filter(({ ok, warnings }) => !ok || warnings.length > 0)
  if (noted.length === 0) return []
  const { documents, lines } = yield* manifestSteps(text)
  const byLine = new Map(documents.toReversed().map((document) => [document.line, document]))
  const sent = text.split('\n')
  const current = now.split('\n')
  const problems: Problem[] = []
  for (const result of noted) {
    problems.push(...problemsOf(result, byLine.get(result.line), lines))
    yield
  }
  return problems.filter(({ startLine }) => sent[startLine - 1] === current[startLine - 1])
}

function problemsOf(
  result: Result,
  document: ManifestDocument | undefined,
  lines: LineCounter,
): Problem[] {
  const place = (field: string, message: string, severity: Problem['severity']): Problem => {
    const range = document && locate(document, field)
    return range
      ? rangeProblem(lines, range[0], range[1], message, severity)
      : lineProblem(result.line, message, severity)
  }
  const warnings = result.warnings.map(({ field, message }) => place(field, message, 'warning'))
  if (result.ok || result.outside) return warnings
  if (result.causes.length === 0)
    return [...warnings, place(fieldOfWhole(document), result.message ?? result.outcome, 'error')]
  return [
    ...warnings,
    ...result.causes.map(({ field, message }) =>
      place(field, field ? `${field}: ${message}` : message, 'error'),
    ),
  ]
}

/** Errors of the whole object are shown at its kind. */
const fieldOfWhole = (document: ManifestDocument | undefined): string =>
  document && 'kind' in document.value ? 'kind' : ''
