import type { NodeBox, Picture, PodMark, Workload } from './picture'
import { FAILURES } from './texts'

export interface Sent {
  method: string
  path: string
  body?: object
  contentType?: string
}

export interface Breakage {
  title: string
  hint: string
  requests: Sent[]
  mends?: boolean
}

const MERGE = 'application/merge-patch+json'
const STRATEGIC = 'application/strategic-merge-patch+json'
const STATE = 'simulation.kubetab/state'
const QUOTA = 'full'

const merge = (path: string, body: object): Sent => ({
  method: 'PATCH',
  path,
  body,
  contentType: MERGE,
})
const nodePath = ({ name }: Pick<NodeBox, 'name'>): string =>
  `/api/v1/nodes/${encodeURIComponent(name)}`
const podPath = ({ namespace, name }: PodMark): string =>
  `/api/v1/namespaces/${namespace}/pods/${encodeURIComponent(name)}`
const deploymentPath = ({ namespace, name }: Workload): string =>
  `/apis/apps/v1/namespaces/${namespace}/deployments/${encodeURIComponent(name)}`

/** Selected, or the first one with a visible effect. */
export interface Targets {
  pod?: PodMark | undefined
  node?: NodeBox | undefined
  workload?: Workload | undefined
  container?: { name: string; image: string } | undefined
  quotas: readonly string[]
}

export function breakagesOf({ pod, node, workload, container, quotas }: Targets): Breakage[] {
  const found: Breakage[] = []
  if (pod)
    found.push({
      title: FAILURES.kill(pod.name),
      hint: FAILURES.killHint,
      requests: [{ method: 'DELETE', path: podPath(pod) }],
    })
  if (node) found.push(...nodeBreakages(node))
  if (workload && container) found.push(...imageBreakages(workload, container))
  const namespace = workload?.namespace ?? pod?.namespace
  if (namespace) found.push(quotaBreakage(namespace, quotas.includes(`${namespace}/${QUOTA}`)))
  return found
}

function nodeBreakages(node: NodeBox): Breakage[] {
  const { name, cordoned, state } = node
  const cordon = merge(nodePath(node), { spec: { unschedulable: cordoned ? null : true } })
  const fail = merge(nodePath(node), {
    metadata: { annotations: { [STATE]: state === 'failed' ? null : 'failed' } },
  })
  return [
    cordoned
      ? {
          title: FAILURES.uncordon(name),
          hint: FAILURES.uncordonHint,
          requests: [cordon],
          mends: true,
        }
      : { title: FAILURES.cordon(name), hint: FAILURES.cordonHint, requests: [cordon] },
    state === 'failed'
      ? { title: FAILURES.recover(name), hint: FAILURES.recoverHint, requests: [fail], mends: true }
      : {
          title: FAILURES.fail(name),
          hint: FAILURES.failHint,
          requests: [fail],
        },
  ]
}

/** The simulation cannot pull images with the tag `missing`. */
const BROKEN_TAG = 'missing'

function imageBreakages(
  workload: Workload,
  { name, image }: { name: string; image: string },
): Breakage[] {
  if (workload.kind !== 'Deployment') return []
  const bare = image.replace(/:[^:/]*$/, '')
  const isBroken = image === `${bare}:${BROKEN_TAG}`
  const to = isBroken ? `${bare}:1` : `${bare}:${BROKEN_TAG}`
  const body = { spec: { template: { spec: { containers: [{ name, image: to }] } } } }
  const requests: Sent[] = [
    { method: 'PATCH', path: deploymentPath(workload), body, contentType: STRATEGIC },
  ]
  return [
    isBroken
      ? {
          title: FAILURES.fixImage(workload.name),
          hint: `${to}`,
          requests,
          mends: true,
        }
      : {
          title: FAILURES.breakImage(workload.name),
          hint: FAILURES.breakImageHint,
          requests,
        },
  ]
}

function quotaBreakage(namespace: string, isFull: boolean): Breakage {
  const path = `/api/v1/namespaces/${namespace}/resourcequotas`
  if (isFull)
    return {
      title: FAILURES.freeQuota(namespace),
      hint: FAILURES.freeQuotaHint,
      requests: [{ method: 'DELETE', path: `${path}/${QUOTA}` }],
      mends: true,
    }
  const body = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: QUOTA },
    spec: { hard: { pods: '0' } },
  }
  return {
    title: FAILURES.exhaustQuota(namespace),
    hint: FAILURES.exhaustQuotaHint,
    requests: [{ method: 'POST', path, body }],
  }
}

export function firstTargets({
  workloads,
  nodes,
}: Picture): Pick<Targets, 'pod' | 'node' | 'workload'> {
  const workload = workloads.find(({ kind }) => kind === 'Deployment') ?? workloads[0]
  const pods = workload?.sets.flatMap((set) => set.pods) ?? []
  const pod = pods.find(({ state }) => state === 'ready') ?? pods[0]
  const broken = nodes.find(({ state, cordoned }) => state === 'failed' || cordoned)
  return { workload, pod, node: broken ?? nodes.find(({ name }) => name === pod?.node) ?? nodes[0] }
}
