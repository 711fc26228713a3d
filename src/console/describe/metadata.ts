import type { ObjectMeta } from 'kubernetes-types/meta/v1'
import { append } from '../../engine/core/lists'
import { ANNOTATION } from '../../engine/core/names'
import type { Report } from './report'
import { NONE, pairsOf, sortedEntries } from './words'

/** Longer annotations are printed on a line of their own, truncated. */
const LONGEST_ANNOTATION = 140

/** One per line after `inset`; `<none>` if empty. */
export function stacked(
  report: Report,
  level: number,
  name: string,
  texts: string[],
  inset = '',
): void {
  const [first = NONE, ...others] = texts
  report.line(level, `${name}:`, inset + first)
  for (const text of others) report.line(0, '', inset + text)
}

export function labels(
  report: Report,
  level: number,
  map: Record<string, string> | undefined,
  name = 'Labels',
  inset = '',
): void {
  stacked(report, level, name, pairsOf(map), inset)
}

/** Without last-applied. Long annotations are indented below their key. */
export function annotations(
  report: Report,
  level: number,
  map: Record<string, string> | undefined,
  inset = '',
): void {
  const texts: string[] = []
  for (const [key, whole] of sortedEntries(map)) {
    if (key === ANNOTATION.lastApplied) continue
    const value = whole.endsWith('\n') ? whole.slice(0, -1) : whole
    if (!value.includes('\n') && key.length + value.length + 2 <= LONGEST_ANNOTATION)
      texts.push(`${key}: ${value}`)
    else
      append(
        texts,
        [`${key}:`],
        value.split('\n').map((line) => `  ${shortened(line, LONGEST_ANNOTATION - 2)}`),
      )
  }
  stacked(report, level, 'Annotations', texts, inset)
}

const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}...` : text

/** `a=b,c=d`, as for a few cluster-scoped kinds. */
export function annotationsCell(metadata: ObjectMeta | undefined): string {
  const pairs = pairsOf(metadata?.annotations)
  return pairs.length === 0 ? NONE : pairs.join(',')
}

/** The first lines of nearly every description. */
export function head(report: Report, metadata: ObjectMeta | undefined, namespaced = true): void {
  report.field(0, 'Name', metadata?.name)
  if (namespaced) report.field(0, 'Namespace', metadata?.namespace)
  labels(report, 0, metadata?.labels)
  annotations(report, 0, metadata?.annotations)
}

/** `Deployment/web`; undefined without a controller. */
export function controllerOf(metadata: ObjectMeta | undefined): string | undefined {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller)
  return owner && `${owner.kind}/${owner.name}`
}
