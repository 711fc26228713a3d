import type { Highlight, TextProblem } from '../editor/TextEditor'
import { locate, type ManifestDocument, parseManifest } from '../manifests/documents'
import type { Change } from '../objects/changes'
import type { FieldProblem, Verdict } from './design'

export function verdictProblems(
  text: string,
  { ok, message, causes, warnings }: Verdict,
): TextProblem[] {
  const document = parseManifest(text).documents[0]
  if (document === undefined) return []
  const problems: FieldProblem[] =
    causes.length > 0 || ok ? causes : [{ field: '', message: message ?? '' }]
  return [
    ...problems.map((cause) => problemAt(document, cause, 'error')),
    ...warnings.map((warning) =>
      problemAt(document, { field: fieldIn(warning), message: warning }, 'warning'),
    ),
  ]
}

const fieldIn = (warning: string): string => /field "([^"]+)"/.exec(warning)?.[1] ?? ''

function problemAt(
  document: ManifestDocument,
  { field, message }: FieldProblem,
  severity: TextProblem['severity'],
): TextProblem {
  const [start, end] = locate(document, field) ?? locate(document, 'kind') ?? [0, 1]
  return { message: field ? `${field}: ${message}` : message, severity, start, end }
}

export function prunedIn(text: string, changes: readonly Change[]): Highlight[] {
  return marked(
    text,
    changes.filter(({ after }) => after === undefined),
    'pruned',
  )
}

export function defaultedIn(text: string, changes: readonly Change[]): Highlight[] {
  return marked(
    text,
    changes.filter(({ before }) => before === undefined),
    'defaulted',
  )
}

function marked(text: string, changes: readonly Change[], className: string): Highlight[] {
  const document = parseManifest(text).documents[0]
  if (document === undefined) return []
  return changes.flatMap(({ path }) => {
    const place = locate(document, path.replaceAll(/\[(\w+)=([^\]"]*)\]/g, '[$1="$2"]'))
    return place === undefined ? [] : [{ start: place[0], end: place[1], className }]
  })
}
