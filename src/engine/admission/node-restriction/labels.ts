import { entryOf } from '../../core/object'

/** Labels that nodes may not set (kubernetes.io, "Admission Controllers", NodeRestriction). */
const RESTRICTED = 'node-restriction.kubernetes.io'
const SYSTEM = ['kubernetes.io', 'k8s.io']
const OF_KUBELETS = ['kubelet.kubernetes.io', 'node.kubernetes.io']
const SET_BY_KUBELETS = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
])

type Labels = Record<string, string>

export function forbiddenLabels(now: Labels = {}, before: Labels = {}): string[] {
  const keys = new Set([...Object.keys(now), ...Object.keys(before)])
  return [...keys]
    .filter((key) => entryOf(now, key) !== entryOf(before, key) && isForbidden(key))
    .sort()
}

function isForbidden(key: string): boolean {
  const domain = key.includes('/') ? key.slice(0, key.indexOf('/')) : ''
  if (isWithin(domain, [RESTRICTED])) return true
  return isWithin(domain, SYSTEM) && !SET_BY_KUBELETS.has(key) && !isWithin(domain, OF_KUBELETS)
}

const isWithin = (domain: string, domains: string[]): boolean =>
  domains.some((other) => domain === other || domain.endsWith(`.${other}`))
