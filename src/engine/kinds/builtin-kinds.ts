import type { KubeObject } from '../core/object'
import type { Kind, KindRules } from '../registry/kind'
import type { GateStates, Strategy } from '../registry/strategy'
import type { Changes } from '../release-tables/changes'
import { TEMPLATED_KINDS } from '../validation/pod-templates'
import { admissionregistrationKinds } from './admissionregistration'
import { apiextensionsKinds } from './apiextensions'
import { apiregistrationKinds } from './apiregistration'
import { appsKinds } from './apps'
import { authenticationKinds } from './authentication'
import { authorizationKinds } from './authorization'
import { autoscalingKinds } from './autoscaling'
import { batchKinds } from './batch'
import { certificatesKinds } from './certificates'
import { coordinationKinds } from './coordination'
import { coreKinds } from './core'
import { defaultImageVolumes } from './core/pod-defaults'
import type { PodSpec } from './core/pod-types'
import { discoveryKinds } from './discovery'
import { resourceKinds } from './dynamic-resources'
import { flowcontrolKinds } from './flowcontrol'
import { internalKinds } from './internal'
import { networkingKinds } from './networking'
import { nodeKinds } from './node'
import { policyKinds } from './policy'
import { rbacKinds } from './rbac'
import { schedulingKinds } from './scheduling'
import { storageKinds } from './storage'

/** Others have only the rules of all kinds. */
export const BUILTIN_KINDS: readonly Kind[] = [
  ...admissionregistrationKinds,
  ...apiextensionsKinds,
  ...apiregistrationKinds,
  ...appsKinds,
  ...authenticationKinds,
  ...authorizationKinds,
  ...autoscalingKinds,
  ...batchKinds,
  ...certificatesKinds,
  ...coordinationKinds,
  ...coreKinds,
  ...discoveryKinds,
  ...resourceKinds,
  ...flowcontrolKinds,
  ...internalKinds,
  ...networkingKinds,
  ...nodeKinds,
  ...policyKinds,
  ...rbacKinds,
  ...schedulingKinds,
  ...storageKinds,
]

/** @param changes of the server's release */
export function rulesBehind(
  gates: GateStates,
  changes: Changes,
  kinds: readonly Kind[] = BUILTIN_KINDS,
): (group: string, kind: string) => KindRules {
  const byName = new Map(kinds.map((kind) => [`${kind.group}/${kind.kind}`, kind]))
  return (group, name) => {
    const {
      group: _,
      kind: __,
      description: ___,
      ...rules
    }: Kind = byName.get(`${group}/${name}`) ?? { group, kind: name }
    const { strategy = {} } = rules
    const gated = strategy.behindGates
      ? { ...strategy, ...strategy.behindGates(gates, changes) }
      : strategy
    return {
      ...rules,
      strategy: gates.ImageVolume ? withImageVolumes(gated, group, name) : gated,
    }
  }
}

/** The only pod default behind a feature gate. */
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
