/** Sends each manifest to the cluster, and turns the responses into findings with lines. */
import { parseApiVersion } from '../../engine/core/object'
import { loadTables } from '../../engine/release-tables/load-tables'
import { tablesOf } from '../../engine/release-tables/tables'
import { lifecycleOf, type Release } from '../../engine/releases'
import { lineOf } from '../manifests/lines'
import { type Manifest, nameOf, placeOf } from '../manifests/read'
import { inCreationOrder, type Rehearsal, type ServerResponse } from '../rehearsal/rehearsal'
import type { Finding, Rule } from './findings'
import { type PodOf, podOf } from './pods'

export async function checkManifests(
  rehearsal: Rehearsal,
  manifests: readonly Manifest[],
  release: Release,
): Promise<Finding[]> {
  await loadTables(release)
  const findings: Finding[] = []
  const defined = new Map<string, Manifest>()
  for (const manifest of inCreationOrder(manifests)) {
    const former = formerDefinition(manifest, defined)
    if (former !== undefined) findings.push(definedTwice(manifest, former))
    const response = await rehearsal.apply(manifest.object)
    findings.push(...rejection(manifest, response, release), ...warningsIn(manifest, response))
    const pod = response.code < 300 ? podOf(manifest.object) : undefined
    if (pod !== undefined)
      findings.push(...podRejection(manifest, pod, await rehearsal.dryRun(pod.object)))
  }
  return inFileOrder(findings, manifests)
}

/** The manifest that has the same kind, namespace and name; objects without a name have none. */
function formerDefinition(
  manifest: Manifest,
  defined: Map<string, Manifest>,
): Manifest | undefined {
  const { kind, apiVersion, metadata } = manifest.object
  if (metadata.name === undefined) return undefined
  const { group } = parseApiVersion(apiVersion)
  const key = JSON.stringify([group, kind, metadata.namespace ?? 'default', metadata.name])
  const former = defined.get(key)
  defined.set(key, manifest)
  return former
}

function definedTwice(manifest: Manifest, former: Manifest): Finding {
  return {
    level: 'warning',
    rule: 'Defined',
    object: nameOf(manifest.object),
    message: `also defined at ${placeOf(former)}; the one that is applied last wins`,
    file: manifest.file,
    line: manifest.line,
  }
}

const RULE_OF_REASON: ReadonlyMap<string, Rule> = new Map([
  ['Invalid', 'Invalid'],
  ['BadRequest', 'Malformed'],
  ['Forbidden', 'Forbidden'],
])

/** A policy chooses the reason of its denial; the message names admission control. */
function ruleOf({ reason, message }: ServerResponse): Rule {
  if (/ is forbidden: | denied the request/.test(message)) return 'Forbidden'
  return RULE_OF_REASON.get(reason) ?? 'Rejected'
}

/** One finding per cause, since each has a field and a line of its own. */
function rejection(manifest: Manifest, response: ServerResponse, release: Release): Finding[] {
  if (response.code < 300) return []
  const base = { level: 'error', object: nameOf(manifest.object), file: manifest.file } as const
  if (response.message.startsWith('no matches for kind'))
    return [
      {
        ...base,
        rule: 'NotServed',
        message: `${response.message}${lifecycleNote(manifest, release)}`,
        line: lineOf(manifest, 'apiVersion'),
      },
    ]
  const rule = ruleOf(response)
  const fields = response.causes.filter(({ field }) => field !== undefined && field !== '')
  if (fields.length > 0)
    return fields.map(({ field = '', message = '' }) => ({
      ...base,
      rule,
      message: `${field}: ${message}`,
      line: lineOf(manifest, field),
    }))
  const unknown = [...response.message.matchAll(/(?:unknown|duplicate) field "([^"]+)"/g)]
  if (unknown.length > 0)
    return unknown.map(([message, field = '']) => ({
      ...base,
      rule: 'Malformed',
      message,
      line: lineOf(manifest, field),
    }))
  return [{ ...base, rule, message: response.message, line: manifest.line }]
}

/** A controller would get this response for each of its pods. */
function podRejection(manifest: Manifest, { path }: PodOf, response: ServerResponse): Finding[] {
  if (response.code < 300) return []
  return [
    {
      level: 'error',
      rule: 'PodRejected',
      object: nameOf(manifest.object),
      message: response.message,
      file: manifest.file,
      line: lineOf(manifest, path),
    },
  ]
}

function lifecycleNote({ object }: Manifest, release: Release): string {
  const { group, version } = parseApiVersion(object.apiVersion)
  const removed = lifecycleOf(group, version, object.kind, tablesOf(release))?.removed
  return removed === undefined ? '' : `: Kubernetes ${removed} removed it`
}

function warningsIn(manifest: Manifest, { warnings }: ServerResponse): Finding[] {
  return warnings.map((message) => ({
    level: 'warning',
    rule: / is deprecated/.test(message) ? 'Deprecated' : 'Warned',
    object: nameOf(manifest.object),
    message,
    file: manifest.file,
    line: lineOf(manifest, /^([\w.[\]-]+): /.exec(message)?.[1] ?? ''),
  }))
}

function inFileOrder(findings: readonly Finding[], manifests: readonly Manifest[]): Finding[] {
  const files = new Map(manifests.map(({ file }, index) => [file, index]))
  const rank = ({ file = '' }: Finding) => files.get(file) ?? 0
  return [...findings].sort(
    (one, other) => rank(one) - rank(other) || (one.line ?? 0) - (other.line ?? 0),
  )
}
