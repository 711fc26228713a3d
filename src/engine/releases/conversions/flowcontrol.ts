/**
 * Flow control of version v1beta3: there a priority level of no seats cannot be told from one that says nothing, so an annotation
 * tells (recorded).
 */
import { isJsonObject, type JsonObject, type KubeObject } from '../../object'
import type { Conversion } from '../conversion'

const HUB = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1' }
const ZERO = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares'
const SHARES = 'nominalConcurrencyShares'
const DEFAULT_SHARES = 30

function limitedOf(object: KubeObject): JsonObject | undefined {
  const spec = object.spec as JsonObject | undefined
  return isJsonObject(spec?.limited) ? spec.limited : undefined
}

function withShares(object: KubeObject, limited: JsonObject, shares: number): KubeObject {
  return { ...object, spec: { ...(object.spec as JsonObject), limited: { ...limited, [SHARES]: shares } } }
}

function withoutAnnotation(object: KubeObject): KubeObject {
  const { annotations } = object.metadata
  if (annotations === undefined || annotations === null || !Object.hasOwn(annotations, ZERO)) return object
  const { [ZERO]: _, ...rest } = annotations
  return { ...object, metadata: { ...object.metadata, annotations: rest } }
}

export const flowcontrolV1beta3: Conversion = {
  hub: HUB,
  toHub(object) {
    const stored = { ...withoutAnnotation(object), apiVersion: `${HUB.group}/${HUB.version}` }
    const limited = limitedOf(stored)
    if (limited === undefined || limited[SHARES]) return stored
    const { annotations } = object.metadata
    return withShares(stored, limited, annotations && Object.hasOwn(annotations, ZERO) ? 0 : DEFAULT_SHARES)
  },
  fromHub(object) {
    const served = { ...withoutAnnotation(object), apiVersion: `${HUB.group}/v1beta3` }
    if (limitedOf(object)?.[SHARES] !== 0) return served
    return { ...served, metadata: { ...served.metadata, annotations: { ...served.metadata.annotations, [ZERO]: '' } } }
  },
}
