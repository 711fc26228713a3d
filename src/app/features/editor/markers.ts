import {
  lineProblem,
  locate,
  type Manifest,
  type ManifestDocument,
  type Problem,
  parseManifest,
  rangeProblem,
} from '../manifests/documents'
import type { Result } from '../manifests/run'

/** @param text as sent @param now the current text; errors on changed lines are dropped */
export function serverProblems(results: readonly Result[], text: string, now: string): Problem[] {
  const manifest = parseManifest(text)
  const sent = text.split('\n')
  const current = now.split('\n')
  return results
    .flatMap((result) => problemsOf(result, manifest))
    .filter(({ startLine }) => sent[startLine - 1] === current[startLine - 1])
}

function problemsOf(result: Result, { documents, lines }: Manifest): Problem[] {
  const document = documents.find(({ line }) => line === result.line)
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
