/**
 * kubernetes.io, "Admission Control in Kubernetes". The plugin's plain errors are 500 responses
 * (Kubernetes 1.31, package plugin/pkg/admission/podtolerationrestriction).
 */

import { entryOf, isJsonObject, type JsonObject, type KubeObject } from '../core/object'
import { serverError } from '../http/status'
import { qosClassOf } from '../validation/pod-qos'
import { podOf, type Toleration } from '../validation/pods'
import { tolerationErrors } from '../validation/tolerations'
import type { AdmissionAttributes, AdmissionPlugin } from './admission'
import { AdmissionConfigurationError, checkKind } from './configuration'
import { type AdmissionEnvironment, readObject } from './environment'
import { covers, mergeTolerations } from './tolerations'

const DEFAULTS = 'scheduler.alpha.kubernetes.io/defaultTolerations'
const ALLOWED = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist'
const MEMORY_PRESSURE: Toleration = {
  key: 'node.kubernetes.io/memory-pressure',
  operator: 'Exists',
  effect: 'NoSchedule',
}

export function podTolerationRestriction(environment: AdmissionEnvironment): AdmissionPlugin {
  const configured = configurationOf(environment.configurationOf('PodTolerationRestriction'))
  const namespaceOf = ({ namespace }: AdmissionAttributes) =>
    readObject(environment, `/registry/namespaces/${namespace}`)
  return {
    name: 'PodTolerationRestriction',
    operations: ['CREATE', 'UPDATE'],
    resources: ['pods'],
    async mutate(attributes) {
      const { spec } = podOf(attributes.object)
      const own = spec.tolerations ?? []
      const defaults =
        attributes.operation === 'CREATE'
          ? (listOf(await namespaceOf(attributes), DEFAULTS) ?? configured.defaults)
          : []
      const extra = qosClassOf(spec) === 'BestEffort' ? [] : [MEMORY_PRESSURE]
      const added = [...defaults, ...extra]
      if (added.length > 0) spec.tolerations = mergeTolerations(own, added)
    },
    async validate(attributes) {
      const { spec } = podOf(attributes.object)
      const allowed = listOf(await namespaceOf(attributes), ALLOWED) ?? configured.allowed
      if (
        allowed.length === 0 ||
        (spec.tolerations ?? []).every((toleration) =>
          allowed.some((wide) => covers(wide, toleration)),
        )
      )
        return
      throw serverError(
        'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist',
      )
    },
  }
}

interface Configured {
  defaults: Toleration[]
  allowed: Toleration[]
}

function configurationOf(given: JsonObject = {}): Configured {
  if (Object.keys(given).length === 0) return { defaults: [], allowed: [] }
  checkKind(given, ['podtolerationrestriction.admission.k8s.io/v1alpha1'], 'Configuration')
  const list = (member: string) =>
    (Array.isArray(given[member]) ? given[member].filter(isJsonObject) : []) as Toleration[]
  const [defaults, allowed] = [list('default'), list('whitelist')]
  const path = 'podtolerationrestriction'
  const errors = [
    ...tolerationErrors(defaults, `${path}.default`),
    ...tolerationErrors(allowed, `${path}.whitelist`),
  ]
  if (errors.length === 0) return { defaults, allowed }
  throw new AdmissionConfigurationError(
    `invalid config: [${errors.map(({ field, detail }) => `${field}: ${detail}`).join(' ')}]`,
  )
}

/** Undefined without the annotation. @throws ApiError 500 for invalid JSON */
function listOf(namespace: KubeObject | undefined, annotation: string): Toleration[] | undefined {
  const text = entryOf(namespace?.metadata.annotations, annotation)
  if (text === undefined) return undefined
  if (text === '') return []
  try {
    return JSON.parse(text) as Toleration[]
  } catch (error) {
    throw serverError(
      `annotation ${annotation} of namespace ${namespace?.metadata.name}: ${(error as Error).message}`,
    )
  }
}
