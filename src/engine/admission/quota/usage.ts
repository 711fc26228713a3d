/** Every resource counts as `count/<resource>.<group>`. */

import { entryOf, type KubeObject } from '../../core/object'
import { memoize } from '../../schema/memoize'
import { formatQuantity, parseQuantity, roundUpQuantity } from '../../schema/quantity'
import type { Pod, ResourceAmounts } from '../../validation/pods'
import type { Operation } from '../admission'
import { type Claim, classOfClaim } from '../claims'
import { podLimitsWithOverhead, podRequestsWithOverhead } from '../pod-resources'
import { COMPUTE, computeUsage } from './compute'
import { type MissingAmounts, missingAmounts } from './constraints'
import { podMatchesScope, type ScopeRequirement } from './scopes'

export interface Evaluator {
  operations: readonly Operation[]
  counts(quotaResource: string): boolean
  usage(object: KubeObject, now: number): ResourceAmounts
  matchesScope(object: KubeObject, scope: ScopeRequirement): boolean
  /**
   * Whether to recalculate decreased usage at once, not in the next full recalculation. Recorded
   * from kube-controller-manager 1.31.
   */
  frees?(object: KubeObject, previous: KubeObject, now: number): boolean
  /** Members that these entries require and the object lacks. */
  missing?(object: KubeObject, entries: string[]): MissingAmounts | undefined
}

/** Also counted by the plain name. */
const PLAIN_NAMES = new Set(['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'])
/** Too numerous and short-lived, or never stored. */
const UNCOUNTED = new Set([
  'events',
  'events.events.k8s.io',
  'bindings',
  'localsubjectaccessreviews.authorization.k8s.io',
])

/** @param resource `pods`, `deployments.apps` @returns undefined if not counted */
export function evaluatorOf(resource: string): Evaluator | undefined {
  if (UNCOUNTED.has(resource)) return undefined
  return entryOf(PARTICULAR, resource) ?? counter(resource)
}

const counter = memoize((resource: string): Evaluator => {
  const names = PLAIN_NAMES.has(resource) ? [`count/${resource}`, resource] : [`count/${resource}`]
  const usage = Object.fromEntries(names.map((name) => [name, '1']))
  return {
    operations: ['CREATE'],
    counts: (entry) => names.includes(entry),
    usage: () => usage,
    matchesScope: () => false,
  }
})

const POD_ENTRIES = new Set([
  'count/pods',
  'pods',
  ...COMPUTE.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
])

const pods: Evaluator = {
  operations: ['CREATE'],
  counts: (entry) =>
    POD_ENTRIES.has(entry) ||
    /^(?:requests\.)?hugepages-/.test(entry) ||
    isExtendedQuotaEntry(entry),
  usage: (object, now) => podUsage(object as Pod, now),
  matchesScope: (object, scope) => podMatchesScope(object as Pod, scope),
  frees: (object, previous, now) => hasEnded(object as Pod, now) && !hasEnded(previous as Pod, now),
  missing: (object, entries) => missingAmounts((object as Pod).spec, entries),
}

function isExtendedQuotaEntry(entry: string): boolean {
  return entry.startsWith('requests.') && entry.includes('/') && !entry.includes('kubernetes.io/')
}

/** A terminated pod counts only as a stored object. */
function podUsage(pod: Pod, now: number): ResourceAmounts {
  if (hasEnded(pod, now)) return { 'count/pods': '1' }
  return {
    'count/pods': '1',
    ...computeUsage(podRequestsWithOverhead(pod.spec), podLimitsWithOverhead(pod.spec)),
  }
}

function hasEnded({ metadata, status }: Pod, now: number): boolean {
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return true
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata
  if (!deletionTimestamp || deletionGracePeriodSeconds === undefined) return false
  return now > Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000
}

const CLAIM_ENTRIES = ['persistentvolumeclaims', 'requests.storage']
const BY_CLASS = '.storageclass.storage.k8s.io/'

const claims: Evaluator = {
  operations: ['CREATE', 'UPDATE'],
  counts: (entry) =>
    entry === 'count/persistentvolumeclaims' ||
    CLAIM_ENTRIES.includes(entry) ||
    CLAIM_ENTRIES.some((name) => entry.endsWith(`${BY_CLASS}${name}`)),
  usage(object) {
    const claim = object as Claim
    const className = classOfClaim(claim)
    const usage: ResourceAmounts = {
      'count/persistentvolumeclaims': '1',
      persistentvolumeclaims: '1',
    }
    const storage = claim.spec?.resources?.requests?.storage
    // Quotas count whole bytes.
    if (storage !== undefined)
      usage['requests.storage'] = formatQuantity(roundUpQuantity(parseQuantity(String(storage)), 0))
    if (className === '') return usage
    for (const name of CLAIM_ENTRIES) {
      const amount = entryOf(usage, name)
      if (amount !== undefined) usage[`${className}${BY_CLASS}${name}`] = amount
    }
    return usage
  },
  matchesScope: () => false,
}

interface Service extends KubeObject {
  spec?: { type?: string; ports?: { nodePort?: number }[]; allocateLoadBalancerNodePorts?: boolean }
}

const SERVICE_ENTRIES = [
  'count/services',
  'services',
  'services.nodeports',
  'services.loadbalancers',
]

const services: Evaluator = {
  operations: ['CREATE', 'UPDATE'],
  counts: (entry) => SERVICE_ENTRIES.includes(entry),
  usage(object) {
    const {
      type,
      ports = [],
      allocateLoadBalancerNodePorts = true,
    } = (object as Service).spec ?? {}
    const balanced = type === 'LoadBalancer'
    const everyPort = type === 'NodePort' || (balanced && allocateLoadBalancerNodePorts)
    const nodePorts = everyPort
      ? ports.length
      : balanced
        ? ports.filter(({ nodePort }) => nodePort).length
        : 0
    return {
      'count/services': '1',
      services: '1',
      'services.nodeports': String(nodePorts),
      'services.loadbalancers': balanced ? '1' : '0',
    }
  },
  matchesScope: () => false,
  frees: (object, previous) => dearType(object as Service) !== dearType(previous as Service),
}

function dearType({ spec }: Service): string | undefined {
  return spec?.type === 'NodePort' || spec?.type === 'LoadBalancer' ? spec.type : undefined
}

const PARTICULAR: Record<string, Evaluator> = { pods, persistentvolumeclaims: claims, services }
