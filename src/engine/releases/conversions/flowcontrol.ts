/**
 * An annotation distinguishes zero shares from unset ones in beta versions. Recorded from
 * kube-apiserver 1.31.
 */
import { isJsonObject, type JsonObject, type KubeObject } from '../../core/object'
import type { Conversion } from '../conversion-type'
import { renamed, withAnnotation, withObject } from './members'

const HUB = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1' }
export const ZERO_SHARES = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares'
const SHARES = 'nominalConcurrencyShares'
const DEFAULT_SHARES = 30

function limitedOf(object: KubeObject): JsonObject | undefined {
  const spec = object.spec as JsonObject | undefined
  return isJsonObject(spec?.limited) ? spec.limited : undefined
}

function withLimited(object: KubeObject, change: (limited: JsonObject) => JsonObject): KubeObject {
  return withObject(object, 'spec', (spec) => withObject(spec, 'limited', change))
}

function priorityLevels(version: string, member: string): Conversion {
  return {
    hub: HUB,
    toHub(object) {
      const bare = {
        ...withAnnotation(object, ZERO_SHARES, undefined),
        apiVersion: `${HUB.group}/${HUB.version}`,
      }
      const stored =
        member === SHARES ? bare : withLimited(bare, (limited) => renamed(limited, member, SHARES))
      const limited = limitedOf(stored)
      if (limited === undefined || limited[SHARES]) return stored
      const { annotations } = object.metadata
      const shares = annotations && Object.hasOwn(annotations, ZERO_SHARES) ? 0 : DEFAULT_SHARES
      return withLimited(stored, (limited) => ({ ...limited, [SHARES]: shares }))
    },
    fromHub(object) {
      const bare = {
        ...withAnnotation(object, ZERO_SHARES, undefined),
        apiVersion: `${HUB.group}/${version}`,
      }
      const served =
        member === SHARES ? bare : withLimited(bare, (limited) => renamed(limited, SHARES, member))
      return limitedOf(object)?.[SHARES] === 0 ? withAnnotation(served, ZERO_SHARES, '') : served
    },
  }
}

export const flowcontrolV1beta1 = priorityLevels('v1beta1', 'assuredConcurrencyShares')
export const flowcontrolV1beta2 = priorityLevels('v1beta2', 'assuredConcurrencyShares')
export const flowcontrolV1beta3 = priorityLevels('v1beta3', SHARES)
