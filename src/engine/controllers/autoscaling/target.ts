/** Any version matches (Kubernetes 1.31, pkg/controller/podautoscaler). */
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2'
import { apiVersionOf, parseApiVersion } from '../../core/object'
import type { Reference } from '../runtime/client'
import type { Manager } from '../runtime/manager'
import type { Stored } from '../runtime/stored'

/** @returns a served version of the target, or the error */
export function targetOf(
  { engine }: Manager,
  { spec, metadata }: Stored<HorizontalPodAutoscaler>,
): Reference | { problem: string } {
  const { apiVersion = '', kind = '', name = '' } = spec?.scaleTargetRef ?? {}
  if (apiVersion.split('/').length > 2)
    return { problem: `unexpected GroupVersion string: ${apiVersion}` }
  const { group, version } = parseApiVersion(apiVersion)
  const served = [...engine.resources.all()].filter(
    (resource) => resource.group === group && resource.kind === kind,
  )
  const found = served.find((resource) => resource.version === version) ?? served[0]
  if (found === undefined)
    return {
      problem: `no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`,
    }
  return {
    apiVersion: apiVersionOf(group, found.version),
    kind,
    metadata: { name, namespace: metadata.namespace ?? '' },
  }
}
