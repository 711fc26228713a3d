/** What the manifest buttons do: every document in order, one request (or two) each, one result each. */

import type { JsonObject } from '../../engine/object'
import { parseApiVersion } from '../../engine/object'
import { type Answer, ApiFailure, ask, get } from '../client'
import { lastApplied, threeWayPatch, withLastApplied } from '../kubectl/three-way'
import { useActors } from '../state/actors'
import { pathOf, resourceOfKind, type ServedResource, useDiscovery } from '../state/discovery'
import { type ManifestDocument, parseManifest } from './documents'

export type Action = 'create' | 'apply' | 'replace' | 'dry-run' | 'delete'

export interface Result {
  /** `deployment.apps/web` */
  what: string
  line: number
  /** `created`, `configured`, `unchanged`, `deleted` … */
  outcome: string
  ok: boolean
  message?: string
  /** The object itself, where it is there now. */
  target?: { resource: ServedResource; namespace: string; name: string }
  /** What the server says is wrong, field by field. */
  causes: { field: string; message: string }[]
  warnings: string[]
}

/** @returns one result a document; documents after a failure are still tried, as kubectl does */
export async function runManifest(text: string, action: Action): Promise<Result[]> {
  const { documents, problems } = parseManifest(text)
  if (problems.length > 0) return problems.map(({ message, startLine }) => failed(`line ${startLine}`, startLine, message))
  if (documents.length === 0) return [failed('this manifest', 1, 'is empty: there is nothing to send')]
  const results: Result[] = []
  for (const document of documents) results.push(await runDocument(document, action))
  return results
}

function failed(what: string, line: number, message: string): Result {
  return { what, line, outcome: 'not sent', ok: false, message, causes: [], warnings: [] }
}

async function runDocument(document: ManifestDocument, action: Action): Promise<Result> {
  const { value, line } = document
  const { apiVersion, kind } = value
  if (typeof apiVersion !== 'string' || typeof kind !== 'string')
    return failed(`document at line ${line}`, line, 'needs apiVersion and kind, so that the server knows what it is')
  const resource = resourceOfKind(useDiscovery.getState().resources, apiVersion, kind)
  if (resource === undefined)
    return failed(`${kind} (${apiVersion})`, line, 'is not a kind that this server serves: check apiVersion and kind')
  const metadata = (value.metadata ?? {}) as { name?: string; namespace?: string; generateName?: string }
  const namespace = resource.namespaced ? (metadata.namespace ?? 'default') : undefined
  const what = `${resource.kind.toLowerCase()}${resource.group === '' ? '' : `.${resource.group}`}/${metadata.name ?? `${metadata.generateName ?? ''}…`}`
  if (!metadata.name && action !== 'create') return failed(what, line, 'needs metadata.name for this')
  try {
    const { answer, outcome } = await send(action, resource, namespace, metadata.name ?? '', value)
    const result = resultOf(what, line, answer, outcome)
    const created = (answer.json as { metadata?: { name?: string } } | undefined)?.metadata?.name ?? metadata.name
    return result.ok && created ? { ...result, target: { resource, namespace: namespace ?? '', name: created } } : result
  } catch (error) {
    if (error instanceof ApiFailure) return resultOf(what, line, error.answer, 'failed')
    return failed(what, line, `could not be sent: ${error instanceof Error ? error.message : String(error)}`)
  }
}

interface Sent {
  answer: Answer
  outcome: string
}

async function send(
  action: Action,
  resource: ServedResource,
  namespace: string | undefined,
  name: string,
  value: JsonObject,
): Promise<Sent> {
  const manager = useActors.getState().fieldManager
  const query = manager ? `?fieldManager=${encodeURIComponent(manager)}` : ''
  const collection = pathOf(resource, namespace)
  const one = pathOf(resource, namespace, name)
  switch (action) {
    case 'create':
      return { answer: await ask({ method: 'POST', path: collection + query, body: JSON.stringify(value) }), outcome: 'created' }
    case 'replace':
      return { answer: await ask({ method: 'PUT', path: one + query, body: JSON.stringify(value) }), outcome: 'replaced' }
    case 'delete':
      return { answer: await ask({ method: 'DELETE', path: one }), outcome: 'deleted' }
    case 'dry-run':
      return apply(resource, namespace, name, value, `${query || '?'}${query ? '&' : ''}dryRun=All`)
    case 'apply':
      return apply(resource, namespace, name, value, query)
  }
}

/** Client-side apply: create with the annotation, or a patch made of what was, what is wanted and what is there. */
async function apply(
  resource: ServedResource,
  namespace: string | undefined,
  name: string,
  value: JsonObject,
  query: string,
): Promise<Sent> {
  const wanted = withLastApplied(value)
  const path = pathOf(resource, namespace, name)
  let live: JsonObject
  try {
    live = await get<JsonObject>(path, 'action')
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.answer.status !== 404) throw error
    const created = managerOr(query, 'kubectl-client-side-apply')
    return {
      answer: await ask({ method: 'POST', path: pathOf(resource, namespace) + created, body: JSON.stringify(wanted) }),
      outcome: 'created',
    }
  }
  const { group, version } = parseApiVersion(String(value.apiVersion))
  const { builtinModel } = await import('../../engine/schema/builtin')
  const type = builtinModel().byKind(group, version, resource.kind)
  const patch = threeWayPatch(lastApplied(live), wanted, live, type)
  if (Object.keys(patch).length === 0)
    return { answer: { ok: true, status: 200, headers: {}, text: '', json: live, warnings: [] }, outcome: 'unchanged' }
  const contentType = type ? 'application/strategic-merge-patch+json' : 'application/merge-patch+json'
  const answer = await ask({
    method: 'PATCH',
    path: path + managerOr(query, 'kubectl-client-side-apply'),
    body: JSON.stringify(patch),
    contentType,
  })
  return { answer, outcome: 'configured' }
}

function managerOr(query: string, manager: string): string {
  if (query.includes('fieldManager=')) return query
  return `${query || '?'}${query ? '&' : ''}fieldManager=${manager}`
}

interface Status {
  message?: string
  details?: { causes?: { field?: string; message?: string }[] }
}

function resultOf(what: string, line: number, answer: Answer, outcome: string): Result {
  if (answer.ok) return { what, line, outcome, ok: true, causes: [], warnings: answer.warnings }
  const status = (answer.json ?? {}) as Status
  return {
    what,
    line,
    outcome: `${answer.status}`,
    ok: false,
    message: status.message ?? (answer.text || `HTTP ${answer.status}`),
    causes: (status.details?.causes ?? []).map(({ field = '', message = '' }) => ({ field, message })),
    warnings: answer.warnings,
  }
}
