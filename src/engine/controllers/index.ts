import { apiServices } from './api-services'
import { horizontalPodAutoscaler } from './autoscaling'
import { bootstrapSigner, tokenCleaner } from './bootstrap-tokens'
import { certificateApproving, certificateCleaning, certificateSigning } from './certificates'
import { clusterRoleAggregation } from './cluster-role-aggregation'
import type { Loop } from './controller'
import { cronJobs } from './cron-jobs'
import { daemonSets } from './daemon-set'
import { deployments } from './deployment'
import { disruption } from './disruption'
import { endpointSliceMirroring } from './endpoint-slice-mirroring'
import { endpointSlices } from './endpoint-slices'
import { endpoints } from './endpoints'
import { flowControlConfiguration } from './flow-control-configuration'
import { flowSchemas } from './flow-schemas'
import { garbageCollector } from './garbage-collector'
import { jobs } from './job'
import { legacyTokenCleaner } from './legacy-tokens'
import { namespaces } from './namespaces'
import { nodeLifecycle } from './node-lifecycle'
import { nodeTtl } from './node-ttl'
import { podGarbage } from './pod-garbage-collector'
import { policyTypes } from './policy-types'
import { replicaSets, replicationControllers } from './replica-set'
import { resourceQuotas } from './resource-quotas'
import { rootCertificates } from './root-ca-certificate'
import { type Controller, Manager, type ManagerOptions } from './runtime/manager'
import { scheduler } from './scheduler'
import { serviceAccounts } from './service-accounts'
import { serviceAddresses } from './service-addresses'
import { simulatedNodes } from './simulated-nodes'
import { statefulSets } from './stateful-set'
import { systemObjects } from './system-objects'
import { taintEviction } from './taint-eviction'
import { tokenSecrets } from './token-secrets'
import { ttlAfterFinished } from './ttl-after-finished'
import { volumeBinder } from './volumes/binder'
import { ephemeralVolumes } from './volumes/ephemeral'
import { volumeExpander } from './volumes/expansion'
import { claimProtection, volumeProtection } from './volumes/protection'

export type { Controller }

export const CONTROLLERS: readonly Controller[] = [
  serviceAccounts,
  rootCertificates,
  nodeTtl,
  nodeLifecycle,
  namespaces,
  garbageCollector,
  replicaSets,
  replicationControllers,
  deployments,
  daemonSets,
  statefulSets,
  jobs,
  cronJobs,
  ttlAfterFinished,
  disruption,
  horizontalPodAutoscaler,
  resourceQuotas,
  clusterRoleAggregation,
  endpoints,
  endpointSlices,
  endpointSliceMirroring,
  certificateApproving,
  certificateSigning,
  certificateCleaning,
  tokenSecrets,
  tokenCleaner,
  bootstrapSigner,
  legacyTokenCleaner,
  ephemeralVolumes,
  volumeBinder,
  volumeExpander,
  claimProtection,
  volumeProtection,
  taintEviction,
  podGarbage,
  policyTypes,
]

export const SERVER_LOOPS: readonly Loop[] = [
  apiServices,
  flowSchemas,
  flowControlConfiguration,
  serviceAddresses,
  systemObjects,
]

/**
 * @param requested `*`: all, `-name`: without one, `off` or empty: none
 * @returns the controllers, or the first unknown name
 */
export function controllersOf(requested: readonly string[]): Controller[] | string {
  const names = requested.filter((name) => name !== 'off' && name !== '*')
  const unknown = names.find(
    (name) => !CONTROLLERS.some((controller) => controller.name === name.replace(/^-/, '')),
  )
  if (unknown !== undefined) return unknown
  return CONTROLLERS.filter(
    ({ name }) => !names.includes(`-${name}`) && (requested.includes('*') || names.includes(name)),
  )
}

export interface SimulatedComponents {
  controllers: readonly Controller[]
  scheduler: boolean
  nodes: number
}

/** @returns stops them */
export function startControllers(
  { controllers, scheduler: schedules, nodes }: SimulatedComponents,
  options: ManagerOptions,
): () => void {
  const manager = new Manager(options)
  const all = [
    ...controllers,
    ...(schedules ? [scheduler] : []),
    ...(nodes > 0 ? [simulatedNodes(nodes)] : []),
  ]
  options.work.begin()
  manager
    .start(all)
    .catch((error: unknown) => options.engine.log.error('the controllers could not start', error))
    .finally(() => options.work.end())
  return () => manager.stop()
}
