import type { Path } from '../../apply/path-elements'
import type { ReplicasPaths } from '../../apply/scale'
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  parseApiVersion,
} from '../../core/object'
import type { RequestContext } from '../../registry/request-context'
import type { Resource } from '../../registry/resource'
import { goQuote } from '../../schema/go-text'
import { selectorOf, selectorText } from '../../selectors/labels'
import { membersOf, type ScalePaths, valueAt } from '../../validation/custom-objects/scale'
import { dnsSubdomain } from '../../validation/names'
import { notNegative } from '../../validation/numbers'
import { type MetaRules, validateObjectMeta } from '../../validation/object-meta'
import { conflict, failure, invalid } from '../status'
import { servedObject } from '../stored-json'

export const SCALE_VERSION = 'autoscaling/v1'

export interface Scale extends KubeObject {
  spec?: { replicas?: number }
  status?: { replicas?: number; selector?: string }
}

export interface Workload extends KubeObject {
  spec?: { replicas?: number; selector?: JsonObject | null }
  status?: { replicas?: number }
}

/** A patch sees this for unset replicas. */
export const NO_REPLICAS = -2_147_483_648

/** Only custom resources may lack them. */
export function hasReplicas({ scale }: Resource, workload: Workload): boolean {
  return (
    scale === undefined ||
    typeof valueAt(workload as unknown as JsonObject, scale.specReplicasPath) === 'number'
  )
}

/** @throws ApiError 500 unless a custom resource has replicas */
export function demandReplicas(resource: Resource, workload: Workload): void {
  if (hasReplicas(resource, workload)) return
  const message = `the spec replicas field ${goQuote(resource.scale?.specReplicasPath ?? '')} does not exist`
  throw failure(500, 'InternalError', `Internal error occurred: ${message}`, {
    causes: [{ message }],
  })
}

/** Paths of custom resources apply in the request's version. */
export function shownWorkload(resource: Resource, stored: KubeObject): Workload {
  return (resource.scale ? servedObject(stored, resource) : stored) as Workload
}

export function scaleOf(workload: Workload, paths?: ScalePaths): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = workload.metadata
  if (paths !== undefined) {
    const at = (path: string | undefined) =>
      path === undefined ? undefined : valueAt(workload as unknown as JsonObject, path)
    const replicas = at(paths.specReplicasPath)
    const selector = at(paths.labelSelectorPath)
    return {
      kind: 'Scale',
      apiVersion: SCALE_VERSION,
      metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as Scale['metadata'],
      spec: typeof replicas === 'number' && replicas !== 0 ? { replicas } : {},
      status: {
        replicas: Number(at(paths.statusReplicasPath) ?? 0),
        selector: typeof selector === 'string' ? selector : '',
      },
    }
  }
  const { selector } = workload.spec ?? {}
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as Scale['metadata'],
    spec: workload.spec?.replicas ? { replicas: workload.spec.replicas } : {},
    status: { replicas: workload.status?.replicas ?? 0, selector: selectorTextOf(selector) },
  }
}

/** Replication controllers have a plain map. */
function selectorTextOf(selector: JsonObject | null | undefined): string {
  if (!selector) return ''
  const structured = 'matchLabels' in selector || 'matchExpressions' in selector
  return selectorText(
    selectorOf(structured ? selector : { matchLabels: selector as Record<string, string> }) ?? [],
  )
}

/** Each version of a custom resource has its own path, or none. */
export function replicasPathIn({ group, versions }: Resource): ReplicasPaths {
  return (apiVersion) => {
    const named = parseApiVersion(apiVersion)
    if (named.group !== group) return undefined
    if (versions === undefined) return elementsOf('.spec.replicas')
    const version = versions.get(named.version)
    return (
      version && (version.scale === undefined ? 'none' : elementsOf(version.scale.specReplicasPath))
    )
  }
}

const elementsOf = (path: string): Path => membersOf(path).map((member) => `f:${member}` as const)

/** @returns the changed top-level member */
export function withReplicas(
  holder: object,
  [member = '', ...rest]: string[],
  replicas: number,
): JsonObject {
  const inner = (holder as Record<string, Json | undefined>)[member]
  return {
    [member]:
      rest.length === 0
        ? replicas
        : {
            ...(isJsonObject(inner) ? inner : {}),
            ...withReplicas(isJsonObject(inner) ? inner : {}, rest, replicas),
          },
  }
}

/** Without resourceVersion the update is unconditional, but custom resources use the stored one. */
export function versionOf({ metadata }: Scale, { custom }: Resource): { resourceVersion?: string } {
  const { resourceVersion = '' } = metadata
  return custom && resourceVersion === '' ? {} : { resourceVersion }
}

/** @throws ApiError 400 for unset replicas */
export function checkGiven({ spec }: Scale, { scale }: Resource): void {
  if (spec?.replicas !== NO_REPLICAS) return
  throw failure(
    400,
    'BadRequest',
    `the spec replicas field ${goQuote(scale?.specReplicasPath ?? '')} cannot be empty`,
  )
}

const RULES: MetaRules = { namespaced: true, nameRule: dnsSubdomain, checksFinalizerNames: true }

/**
 * @param uid of the workload, unless the storage checks it
 * @throws ApiError 422, or 409 for another uid
 */
export function checkScale(
  { resource, name }: RequestContext,
  scale: Scale,
  uid: string | undefined,
): void {
  const errors = [
    ...validateObjectMeta(scale, RULES),
    ...notNegative('spec.replicas', scale.spec?.replicas),
  ]
  if (errors.length > 0) throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, errors)
  const wanted = scale.metadata.uid
  if (uid === undefined || !wanted || wanted === uid) return
  const why = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${uid}`
  throw conflict({ group: resource.group, resource: `${resource.resource}/scale` }, name, why)
}
