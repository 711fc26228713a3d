/** Checks a manifest against the type model before it is sent; the server checks the rest. */
import { isAlias, isMap, isScalar, isSeq, type LineCounter, type Node } from 'yaml'
import { parseApiVersion } from '../../../engine/core/object'
import { builtinModel } from '../../../engine/schema/builtin'
import type { TypeNode } from '../../../engine/schema/model'
import { definesKind } from '../manifests/definitions'
import {
  lineProblem,
  type ManifestDocument,
  manifestSteps,
  type Problem,
  rangeProblem,
} from '../manifests/documents'
import { CHECKS } from './texts'

type IsServed = (apiVersion: string, kind: string) => boolean

/**
 * Yields after each document.
 * @param served the server serves the kind or the text defines it; kinds without a built-in type
 * are not checked
 */
export function* checkSteps(text: string, served: IsServed): Generator<undefined, Problem[]> {
  const manifest = yield* manifestSteps(text)
  const problems = [...manifest.problems]
  const { documents } = manifest
  const known = (apiVersion: string, kind: string) =>
    served(apiVersion, kind) ||
    documents.some((document) => definesKind(document, apiVersion, kind))
  for (const document of documents) {
    checkDocument(document, manifest.lines, known, problems)
    yield
  }
  return problems
}

function checkDocument(
  document: ManifestDocument,
  lines: LineCounter,
  served: IsServed,
  problems: Problem[],
): void {
  const { apiVersion, kind, metadata } = document.value
  const at = (message: string, severity?: Problem['severity']) =>
    problems.push(lineProblem(document.line, message, severity))
  if (typeof apiVersion !== 'string') at(CHECKS.apiVersion)
  if (typeof kind !== 'string') at(CHECKS.kind)
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return
  if (!served(apiVersion, kind)) {
    at(CHECKS.notServed(kind, apiVersion), 'warning')
    return
  }
  if (metadata === undefined) at(CHECKS.metadata, 'warning')
  const { group, version } = parseApiVersion(apiVersion)
  const type = builtinModel().byKind(group, version, kind)
  if (type) check(document.node, type, '', lines, problems)
}

const EXPECTED: Record<string, string> = {
  int32: CHECKS.integer,
  int64: CHECKS.integer,
  double: CHECKS.number,
  boolean: CHECKS.boolean,
  string: 'text',
  bytes: CHECKS.base64,
  time: CHECKS.time,
  microTime: CHECKS.time,
}

function check(
  node: Node | null,
  type: TypeNode,
  path: string,
  lines: LineCounter,
  problems: Problem[],
): void {
  if (
    node === null ||
    isAlias(node) ||
    type.type === 'any' ||
    (isScalar(node) && node.value === null)
  )
    return
  const wrong = (what: string) =>
    problems.push(
      rangeProblem(
        lines,
        node.range?.[0] ?? 0,
        node.range?.[1] ?? 0,
        CHECKS.mustBe(path || CHECKS.document, what),
        'error',
      ),
    )
  if (type.type === 'scalar') {
    if (isMap(node) || isSeq(node)) wrong(EXPECTED[type.format] ?? CHECKS.scalar)
    else if (isScalar(node)) {
      const misfit = scalarMisfit(type.format, node.value)
      if (misfit) wrong(misfit)
    }
    return
  }
  if (type.type === 'list') {
    if (isSeq(node))
      for (const [index, item] of node.items.entries())
        check(item as Node, type.items, `${path}[${index}]`, lines, problems)
    else wrong(CHECKS.list)
    return
  }
  if (!isMap(node)) {
    wrong(CHECKS.mapping)
    return
  }
  for (const { key, value } of node.items) {
    if (!isScalar(key)) continue
    const name = String(key.value)
    const below = path === '' ? name : `${path}.${name}`
    if (type.type === 'map') check(value as Node | null, type.values, below, lines, problems)
    else {
      const field = type.byName.get(name)
      if (field) check(value as Node | null, field.type, below, lines, problems)
      else
        problems.push(
          rangeProblem(
            lines,
            key.range?.[0] ?? 0,
            key.range?.[1] ?? 0,
            CHECKS.unknownField(below, suggestion(name, [...type.byName.keys()])),
            'warning',
          ),
        )
    }
  }
}

function scalarMisfit(format: string, value: unknown): string | undefined {
  if (format === 'int32' || format === 'int64' || format === 'double')
    return typeof value === 'number' || typeof value === 'bigint' ? undefined : EXPECTED[format]
  if (format === 'boolean') return typeof value === 'boolean' ? undefined : EXPECTED.boolean
  if (format === 'string' || format === 'bytes')
    return typeof value === 'string' ? undefined : CHECKS.quote(EXPECTED[format] ?? CHECKS.scalar)
  return undefined
}

/** `: did you mean "replicas"?` */
function suggestion(name: string, known: string[]): string {
  const near =
    known.find((candidate) => candidate.toLowerCase() === name.toLowerCase()) ??
    known.find((candidate) => distance(candidate, name) <= 2)
  return near ? CHECKS.didYouMean(near) : ''
}

/** Returns 3 for every distance above 2. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(
        (row[j] as number) + 1,
        (next[j - 1] as number) + 1,
        (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1),
      )
    }
    row = next
  }
  return row[b.length] as number
}
