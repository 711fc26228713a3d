/**
 * PodTolerationRestriction: annotations of the namespace say what its pods tolerate by default and what they may. The real plugin's
 * refusals are plain errors, which clients see as 500 (release's public sources).
 */

import { serverError } from '../http/status'
import type { KubeObject } from '../object'
import { qosClassOf } from '../registry/rules/pod-qos'
import { podOf, type Toleration } from '../registry/rules/pods'
import type { AdmissionAttributes, AdmissionPlugin } from './admission'
import { type AdmissionEnvironment, readObject } from './environment'
import { covers, mergeTolerations } from './tolerations'

const DEFAULTS = 'scheduler.alpha.kubernetes.io/defaultTolerations'
const ALLOWED = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist'
const MEMORY_PRESSURE: Toleration = { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' }

export function podTolerationRestriction(environment: AdmissionEnvironment): AdmissionPlugin {
  const namespaceOf = ({ namespace }: AdmissionAttributes) => readObject(environment, `/registry/namespaces/${namespace}`)
  return {
    name: 'PodTolerationRestriction',
    operations: ['CREATE', 'UPDATE'],
    resources: ['pods'],
    async mutate(attributes) {
      const { spec } = podOf(attributes.object)
      const own = spec.tolerations ?? []
      // Only a new pod gets what it did not ask for.
      const defaults = attributes.operation === 'CREATE' ? (listOf(await namespaceOf(attributes), DEFAULTS) ?? []) : []
      const extra = qosClassOf(spec) === 'BestEffort' ? [] : [MEMORY_PRESSURE]
      const added = [...defaults, ...extra]
      if (added.length > 0) spec.tolerations = mergeTolerations(own, added)
    },
    async validate(attributes) {
      const { spec } = podOf(attributes.object)
      const allowed = listOf(await namespaceOf(attributes), ALLOWED)
      if (!allowed?.length || (spec.tolerations ?? []).every((toleration) => allowed.some((wide) => covers(wide, toleration)))) return
      throw serverError('pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist')
    },
  }
}

/** @returns undefined: the namespace says nothing @throws ApiError 500 for what is no JSON */
function listOf(namespace: KubeObject | undefined, annotation: string): Toleration[] | undefined {
  const text = namespace?.metadata.annotations?.[annotation]
  if (text === undefined || text === '') return undefined
  try {
    return JSON.parse(text) as Toleration[]
  } catch (error) {
    throw serverError(`annotation ${annotation} of namespace ${namespace?.metadata.name}: ${(error as Error).message}`)
  }
}
