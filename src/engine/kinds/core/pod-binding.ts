/** Binds a Pod to a Node. Recorded from kube-apiserver 1.31. */
import { timestamp } from '../../core/environment'
import type { KubeObject } from '../../core/object'
import {
  conflict,
  notFound,
  type ResourceName,
  type Status,
  SUCCESS,
  serverError,
} from '../../http/status'
import { keyOf, type RequestContext, transactionOptions } from '../../registry/request-context'
import { failedPrecondition, uidMismatch } from '../../registry/update'
import { canonicalize } from '../../schema/canonical'
import type { StoredObject } from '../../storage/storage'
import { notSupported, required } from '../../validation/field-errors'
import { withCondition } from './pod-conditions'
import type { Pod } from './pod-types'

export interface Binding extends KubeObject {
  target?: { kind?: string; name?: string }
}

const PODS: ResourceName = { group: '', resource: 'pods' }
const BINDINGS: ResourceName = { group: '', resource: 'pods/binding' }

/**
 * @param admit runs after validation; throws ApiError to deny
 * @throws ApiError 404 missing, 409 not bindable, 500 not a node, as in kube-apiserver
 */
export async function bindPod(
  context: RequestContext,
  binding: Binding,
  admit: () => Promise<void> | void,
): Promise<Status> {
  checkTarget(binding)
  await admit()
  const { engine, name } = context
  const pods = engine.resources.find('', 'v1', 'pods')
  if (pods === undefined) throw new Error('pods are not served')
  const podContext = { ...context, resource: pods }
  const key = keyOf(podContext)
  const labels = engine.featureGates.PodTopologyLabelsAdmission
    ? binding.metadata.labels
    : undefined
  for (;;) {
    const stored = await engine.storage.get(key)
    if (stored === undefined) throw notFound(PODS, name)
    checkBindable(context, stored, binding)
    const object = canonicalize(
      pods.storedType,
      bound(stored.object as Pod, binding, timestamp(engine.clock.now()), labels),
      'stored',
    )
    if (context.dryRun) return SUCCESS
    const guard = { key, revision: stored.revision }
    const result = await engine.storage.transaction(
      [guard],
      [{ type: 'put', key, object }],
      transactionOptions(context),
    )
    if (result.succeeded) return SUCCESS
  }
}

function checkTarget({ target }: Binding): void {
  const { kind = '', name = '' } = target ?? {}
  const errors =
    kind === '' || kind === 'Node' ? [] : [notSupported('target.kind', kind, ['Node', '<empty>'])]
  if (name === '') errors.push(required('target.name'))
  const texts = errors.map(({ field, detail }) => `${field}: ${detail}`)
  if (texts.length > 0)
    throw serverError(texts.length === 1 ? String(texts[0]) : `[${texts.join(', ')}]`)
}

function checkBindable(context: RequestContext, stored: StoredObject, { metadata }: Binding): void {
  const { name } = context
  const { metadata: actual, spec } = stored.object as Pod
  if (metadata.uid && metadata.uid !== actual.uid)
    throw conflict(PODS, name, uidMismatch(context, stored.key, metadata.uid, actual.uid))
  const version = metadata.resourceVersion
  if (version && version !== actual.resourceVersion) {
    const why = `ResourceVersion in precondition: ${version}, ResourceVersion in object meta: ${actual.resourceVersion}`
    throw conflict(PODS, name, failedPrecondition(context, stored.key, why))
  }
  if (actual.deletionTimestamp)
    throw conflict(BINDINGS, name, `pod ${name} is being deleted, cannot be assigned to a host`)
  if (spec?.nodeName)
    throw conflict(BINDINGS, name, `pod ${name} is already assigned to node "${spec.nodeName}"`)
  if (spec?.schedulingGates?.length)
    throw conflict(BINDINGS, name, `pod ${name} has non-empty .spec.schedulingGates`)
}

/** @param labels replace those of the pod */
function bound(
  pod: Pod,
  { target, metadata }: Binding,
  now: string,
  labels: Record<string, string> = {},
): Pod {
  const annotations = { ...pod.metadata.annotations, ...metadata.annotations }
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      annotations,
      ...(Object.keys(labels).length > 0 && { labels: { ...pod.metadata.labels, ...labels } }),
    },
    spec: { ...pod.spec, nodeName: target?.name ?? '' },
    status: {
      ...pod.status,
      conditions: withCondition(pod.status?.conditions ?? [], 'PodScheduled', now),
    },
  }
}
