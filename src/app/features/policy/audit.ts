/**
 * Finds stored objects that policies would deny, by updating each unchanged in a copy of the
 * cluster.
 */
import { isJsonObject, type JsonObject, type KubeObject } from '../../../engine/core/object'
import type { PolicyFinding } from '../../../hosts/shared/channel'
import type { TrialRequest } from '../../../hosts/shared/trial'
import { creationOrder } from '../../../policy-test/order'
import { PAGE_ACTOR } from '../../state/actors'
import { get } from '../../state/client'
import { pathOf, resourceOfKind, type ServedResource, useDiscovery } from '../../state/discovery'
import { type AuditVerdict, matchedResources, verdictOf, widened } from './audit-scope'
import { designIn, objectsPath } from './definition'
import { AUDIT } from './texts'
import { type Tried, tryRequests } from './trial'

export interface AuditRow {
  resource: ServedResource
  namespace: string
  name: string
  verdict: AuditVerdict
  message: string
  findings: PolicyFinding[]
}

export interface Audit {
  written: number
  rows: AuditRow[]
}

/** Per copy of the cluster; progress is reported between copies. */
const AT_ONCE = 400
const PAGE = 500

/** @throws Error if the policies cannot be created */
export async function auditCluster(
  objects: readonly KubeObject[],
  progress: (done: number, all: number) => void,
): Promise<Audit> {
  const policies = objects.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy')
  if (policies.length === 0) throw new Error(AUDIT.noPolicy)
  const names = new Set(policies.map(({ metadata }) => metadata.name ?? ''))
  const resources = matchedResources(policies, useDiscovery.getState().resources)
  const stored = (await Promise.all(resources.map(listed))).flat()
  const inForce = creationOrder(objects).map((object) => applyRequest(object, objects))
  const rows: AuditRow[] = []
  progress(0, stored.length)
  for (let from = 0; from === 0 || from < stored.length; from += AT_ONCE) {
    const part = stored.slice(from, from + AT_ONCE)
    const results = await tryRequests([...inForce, ...part.map(writeAgain)], PAGE_ACTOR)
    checkInForce(objects, results.slice(0, inForce.length))
    for (const [index, found] of part.entries()) {
      const row = rowOf(found, results[inForce.length + index] as Tried, names)
      if (row !== undefined) rows.push(row)
    }
    progress(Math.min(from + AT_ONCE, stored.length), stored.length)
  }
  return { written: stored.length, rows }
}

function checkInForce(objects: readonly KubeObject[], results: readonly Tried[]): void {
  const at = results.findIndex(({ ok }) => !ok)
  if (at < 0) return
  const { kind, metadata } = creationOrder(objects)[at] as KubeObject
  const { json, text } = results[at] as Tried
  throw new Error(
    `${kind} ${metadata.name} was rejected: ${isJsonObject(json) ? json.message : text}`,
  )
}

interface StoredObject {
  resource: ServedResource
  object: KubeObject
}

interface List {
  items: KubeObject[] | null
  metadata: { continue?: string }
}

async function listed(resource: ServedResource): Promise<StoredObject[]> {
  const found: StoredObject[] = []
  let token = ''
  do {
    const query = new URLSearchParams({
      limit: String(PAGE),
      ...(token ? { continue: token } : {}),
    })
    const { items, metadata } = await get<List>(`${pathOf(resource)}?${query}`)
    for (const item of items ?? []) {
      const apiVersion =
        resource.group === '' ? resource.version : `${resource.group}/${resource.version}`
      found.push({ resource, object: { ...item, apiVersion, kind: resource.kind } })
    }
    token = metadata.continue ?? ''
  } while (token !== '')
  return found
}

/** An empty patch, because the object can have changed since it was listed. */
function writeAgain({ resource, object }: StoredObject): TrialRequest {
  const { namespace, name } = object.metadata
  return {
    method: 'PATCH',
    path: `${pathOf(resource, namespace, name)}?dryRun=All`,
    body: '{}',
    contentType: 'application/merge-patch+json',
  }
}

function applyRequest(object: KubeObject, objects: readonly KubeObject[]): TrialRequest {
  const { name = '' } = object.metadata
  const path = `${collectionOf(object, objects)}/${encodeURIComponent(name)}?fieldManager=audit&force=true`
  return {
    method: 'PATCH',
    path,
    body: JSON.stringify(widened(object)),
    contentType: 'application/apply-patch+yaml',
  }
}

/** @throws Error for a kind that is not served */
function collectionOf(
  { apiVersion, kind, metadata }: KubeObject,
  objects: readonly KubeObject[],
): string {
  const namespace = metadata.namespace ?? 'default'
  const served = resourceOfKind(useDiscovery.getState().resources, apiVersion, kind)
  if (served !== undefined) return pathOf(served, namespace)
  for (const definition of objects) {
    const design =
      definition.kind === 'CustomResourceDefinition'
        ? designIn(definition as unknown as JsonObject)
        : undefined
    const version = design?.versions.find(
      ({ name }) => design.kind === kind && `${design.group}/${name}` === apiVersion,
    )
    if (design !== undefined && version !== undefined)
      return objectsPath(design, version.name, namespace)
  }
  throw new Error(`${kind} of ${apiVersion} is not served`)
}

function rowOf(
  { resource, object }: StoredObject,
  result: Tried,
  names: ReadonlySet<string>,
): AuditRow | undefined {
  const findings = result.policies.filter(({ policy }) => names.has(policy))
  // No finding, or deleted since it was listed.
  if (findings.length === 0 && (result.ok || result.status === 404)) return undefined
  const { namespace = '', name = '' } = object.metadata
  const message = result.ok
    ? result.warnings.join('\n')
    : isJsonObject(result.json)
      ? String(result.json.message)
      : result.text
  return { resource, namespace, name, verdict: verdictOf(result.ok, findings), message, findings }
}
