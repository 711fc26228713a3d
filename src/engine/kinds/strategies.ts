/**
 * Strategies by `group/Kind` (the core group is empty). Kinds without an entry have the common
 * strategy.
 */

import type { KubeObject } from '../core/object'
import type { Engine } from '../registry/engine'
import type { Strategy } from '../registry/strategy'
import type { Changes } from '../release-tables/changes'
import { TEMPLATED_KINDS } from '../validation/pod-templates'
import { admissionregistrationStrategies } from './admissionregistration'
import { apiextensionsStrategies } from './apiextensions'
import { apiregistrationStrategies } from './apiregistration'
import { appsStrategies } from './apps'
import { authenticationStrategies } from './authentication'
import { authorizationStrategies } from './authorization'
import { autoscalingStrategies } from './autoscaling'
import { batchStrategies } from './batch'
import { certificatesStrategies } from './certificates'
import { coordinationStrategies } from './coordination'
import { coreStrategies } from './core'
import { defaultImageVolumes } from './core/pod-defaults'
import type { PodSpec } from './core/pod-types'
import { discoveryStrategies } from './discovery'
import { resourceStrategies } from './dynamic-resources'
import { flowcontrolStrategies } from './flowcontrol'
import { internalStrategies } from './internal'
import { networkingStrategies } from './networking'
import { nodeStrategies } from './node'
import { policyStrategies } from './policy'
import { rbacStrategies } from './rbac'
import { schedulingStrategies } from './scheduling'
import { storageStrategies } from './storage'

const STRATEGIES: Record<string, Strategy> = {
  ...admissionregistrationStrategies,
  ...apiextensionsStrategies,
  ...apiregistrationStrategies,
  ...appsStrategies,
  ...authenticationStrategies,
  ...authorizationStrategies,
  ...autoscalingStrategies,
  ...batchStrategies,
  ...certificatesStrategies,
  ...coordinationStrategies,
  ...coreStrategies,
  ...discoveryStrategies,
  ...flowcontrolStrategies,
  ...internalStrategies,
  ...networkingStrategies,
  ...nodeStrategies,
  ...policyStrategies,
  ...rbacStrategies,
  ...resourceStrategies,
  ...schedulingStrategies,
  ...storageStrategies,
}

const COMMON: Strategy = {}

/** The strategies for a server's feature gates. @param changes that apply to its release */
export function strategiesBehind(
  gates: Engine['featureGates'],
  changes: Changes,
): (group: string, kind: string) => Strategy {
  return (group, kind) => {
    const strategy = STRATEGIES[`${group}/${kind}`] ?? COMMON
    const gated = strategy.behindGates
      ? { ...strategy, ...strategy.behindGates(gates, changes) }
      : strategy
    return gates.ImageVolume ? withImageVolumes(gated, group, kind) : gated
  }
}

/** The one pod default behind a feature gate, for pods and templates. */
function withImageVolumes(strategy: Strategy, group: string, kind: string): Strategy {
  const templated = TEMPLATED_KINDS.find((one) => one.group === group && one.kind === kind)
  const isPod = group === '' && kind === 'Pod'
  if (templated === undefined && !isPod) return strategy
  const podSpecOf = (object: KubeObject) =>
    (isPod ? object.spec : templated?.templateOf(object)?.spec) as PodSpec | undefined
  return {
    ...strategy,
    defaults(object) {
      strategy.defaults?.(object)
      defaultImageVolumes(podSpecOf(object))
    },
  }
}
