/**
 * rollbackTo and templateGeneration became annotations. See kubernetes.io, "Deprecated API
 * Migration Guide".
 */
import { entryOf, isJsonObject, type Json, type KubeObject } from '../../core/object'
import type { Conversion } from '../conversion-type'
import { objectAt, withAnnotation } from './members'
import { sameAs } from './renamed'

const ROLLBACK = 'deprecated.deployment.rollback.to'
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation'

interface Carried {
  member: string
  annotation: string
  toText(value: Json): string | undefined
  fromText(text: string): Json | undefined
}

const wholeNumber = (text: string): number | undefined =>
  /^-?\d{1,15}$/.test(text) ? Number(text) : undefined

const rollbackTo: Carried = {
  member: 'rollbackTo',
  annotation: ROLLBACK,
  toText: (value) => (isJsonObject(value) ? String(value.revision ?? 0) : undefined),
  fromText(text) {
    const revision = wholeNumber(text)
    return revision === undefined ? undefined : { revision }
  },
}

const templateGeneration: Carried = {
  member: 'templateGeneration',
  annotation: TEMPLATE_GENERATION,
  toText: (value) => (typeof value === 'number' ? String(value) : undefined),
  fromText: wholeNumber,
}

function carrying(base: Conversion, { member, annotation, toText, fromText }: Carried): Conversion {
  return {
    hub: base.hub,
    toHub(object) {
      const spec = objectAt(object, 'spec')
      const value = spec?.[member]
      const stored = base.toHub(object)
      if (spec === undefined || value === undefined) return stored
      const { [member]: _, ...others } = spec
      const text = value === null ? undefined : toText(value)
      return text === undefined
        ? { ...stored, spec: others }
        : withAnnotation({ ...stored, spec: others }, annotation, text)
    },
    fromHub(object) {
      const served = base.fromHub(object)
      const text = entryOf(object.metadata.annotations, annotation)
      const value = text === undefined ? undefined : fromText(text)
      if (value === undefined) return served
      const bare: KubeObject = withAnnotation(served, annotation, undefined)
      return { ...bare, spec: { ...objectAt(bare, 'spec'), [member]: value } }
    },
  }
}

const fromApps = (version: string, group = 'apps'): Conversion =>
  sameAs('apps', 'v1', version, group)

export const workloadConversions: Record<string, Conversion> = {
  'extensions/v1beta1 Deployment': carrying(fromApps('v1beta1', 'extensions'), rollbackTo),
  'extensions/v1beta1 DaemonSet': carrying(fromApps('v1beta1', 'extensions'), templateGeneration),
  'extensions/v1beta1 ReplicaSet': fromApps('v1beta1', 'extensions'),
  'apps/v1beta1 Deployment': carrying(fromApps('v1beta1'), rollbackTo),
  'apps/v1beta1 StatefulSet': fromApps('v1beta1'),
  'apps/v1beta1 ControllerRevision': fromApps('v1beta1'),
  ...Object.fromEntries(
    ['Deployment', 'DaemonSet', 'ReplicaSet', 'StatefulSet', 'ControllerRevision'].map((kind) => [
      `apps/v1beta2 ${kind}`,
      fromApps('v1beta2'),
    ]),
  ),
}
