/** Nodes: what the cluster assigns once, and taints that are unique (texts recorded). */
import type { FieldError } from '../../http/status'
import type { KubeObject } from '../../object'
import { givenQuantity } from '../../schema/given-quantities'
import { goQuote, goTime } from '../../schema/go-text'
import { forbiddenField, invalidValue, notSupported, required } from '../field-errors'
import { cidrFamily } from '../rules/addresses'
import { labelValueProblems, qualifiedNameProblems } from '../rules/names'
import { resourceQuantityErrors } from '../rules/quantities'
import type { Strategy } from '../strategy'

interface Taint {
  key?: string
  value?: string
  effect?: string
  timeAdded?: string
}

type Amounts = Record<string, string>

interface Node extends KubeObject {
  spec?: { podCIDR?: string; podCIDRs?: string[]; providerID?: string; taints?: Taint[]; externalID?: string; configSource?: unknown }
  status?: { capacity?: Amounts; allocatable?: Amounts; addresses?: { type?: string; address?: string }[] }
}

export const nodeStrategy: Strategy = {
  defaults(object) {
    const { spec, status } = object as Node
    if (spec?.podCIDR && spec.podCIDRs?.[0] !== spec.podCIDR) spec.podCIDRs = [spec.podCIDR]
    else if (spec?.podCIDRs?.[0]) spec.podCIDR = spec.podCIDRs[0]
    if (status?.capacity && !status.allocatable) status.allocatable = { ...status.capacity }
  },
  // Its feature is gone.
  prepareForCreate: (object) => void delete (object as Node).spec?.configSource,
  prepareForUpdate(object, old) {
    object.status = old.status
    if (!(old as Node).spec?.configSource) delete (object as Node).spec?.configSource
  },
  validate(object) {
    const { metadata, spec = {}, status = {} } = object as Node
    return [
      ...avoidedPodErrors(metadata.annotations?.[AVOIDED_PODS]),
      ...taintErrors(spec.taints ?? []),
      ...amountErrors('status.capacity', status.capacity),
      ...amountErrors('status.allocatable', status.allocatable),
      ...rangeErrors(spec.podCIDRs ?? []),
    ]
  },
  validateUpdate: (object, old) => changeErrors(object as Node, old as Node),
  warningsOnCreate: (object) => warnings(object as Node),
  warningsOnUpdate: (object, old) => ((old as Node).spec?.externalID ? [] : warnings(object as Node)),
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
    },
    validateUpdate(object, old) {
      const { capacity, allocatable } = (object as Node).status ?? {}
      return [
        ...changeErrors(object as Node, old as Node),
        ...amountErrors('status.capacity', capacity),
        ...amountErrors('status.allocatable', allocatable),
      ]
    },
  },
}

const AVOIDED_PODS = 'scheduler.alpha.kubernetes.io/preferAvoidPods'

/** An annotation that once kept some controllers' pods away: each entry names a controller. */
function avoidedPodErrors(text: string | undefined): FieldError[] {
  if (text === undefined || text === '') return []
  try {
    const { preferAvoidPods = [] } = JSON.parse(text) as { preferAvoidPods?: { podSignature?: { podController?: unknown } }[] }
    return preferAvoidPods.flatMap(({ podSignature }, i) =>
      podSignature?.podController ? [] : [required(`metadata.annotations.${AVOIDED_PODS}[${i}].PodSignature`)],
    )
  } catch (error) {
    return [invalidValue('AvoidPods', text, (error as Error).message)]
  }
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

function taintErrors(taints: Taint[]): FieldError[] {
  const seen = new Set<string>()
  return taints.flatMap((taint, i) => {
    const { key = '', value = '', effect = '' } = taint
    const at = `metadata.taints[${i}]`
    const valueProblems = labelValueProblems(value)
    const errors = qualifiedNameProblems(key).map((problem) => invalidValue(`${at}.key`, key, problem))
    if (valueProblems.length > 0) errors.push(invalidValue(`${at}.value`, value, valueProblems.join(';')))
    if (effect === '') errors.push(required(`${at}.effect`))
    else if (!EFFECTS.includes(effect)) errors.push(notSupported(`${at}.effect`, effect, EFFECTS))
    const identity = `${effect} ${key}`
    if (seen.has(identity)) {
      const detail = `Duplicate value: ${shownTaint(taint)}: taints must be unique by key and effect pair`
      errors.push({ field: at, reason: 'FieldValueDuplicate', detail })
    }
    seen.add(identity)
    return errors
  })
}

/** A taint as Go prints it. */
function shownTaint({ key = '', value = '', effect = '', timeAdded }: Taint): string {
  const time = timeAdded === undefined ? '<nil>' : goTime(timeAdded)
  return `core.Taint{Key:${goQuote(key)}, Value:${goQuote(value)}, Effect:${goQuote(effect)}, TimeAdded:${time}}`
}

function amountErrors(path: string, amounts: Amounts = {}): FieldError[] {
  return Object.keys(amounts).flatMap((name) => resourceQuantityErrors(`${path}.${name}`, name, givenQuantity(amounts, name)))
}

function rangeErrors(ranges: string[]): FieldError[] {
  const families = ranges.map(cidrFamily)
  const wrong = ranges.flatMap((range, i) =>
    families[i] ? [] : [invalidValue(`spec.podCIDRs[${i}]`, range, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')],
  )
  if (wrong.length > 0 || new Set(families).size === families.length) return wrong
  const shown = `[]string{${ranges.map(goQuote).join(', ')}}`
  const why = 'may specify no more than one CIDR for each IP family'
  return [{ field: 'spec.podCIDRs', reason: 'FieldValueInvalid', detail: `Invalid value: ${shown}: ${why}` }]
}

const assignedOnce = (name: string): string => `node updates may not change ${name} except from "" to valid`

function changeErrors({ spec = {}, status = {} }: Node, { spec: old = {} }: Node): FieldError[] {
  const errors: FieldError[] = []
  const seen = new Set<string>()
  for (const [i, { type = '', address = '' }] of (status.addresses ?? []).entries()) {
    const shown = `core.NodeAddress{Type:${goQuote(type)}, Address:${goQuote(address)}}`
    if (seen.has(shown))
      errors.push({ field: `status.addresses[${i}]`, reason: 'FieldValueDuplicate', detail: `Duplicate value: ${shown}` })
    seen.add(shown)
  }
  if (old.podCIDRs?.length && old.podCIDRs.join() !== spec.podCIDRs?.join()) {
    errors.push(forbiddenField('spec.podCIDRs', assignedOnce('podCIDR')))
  }
  if (old.providerID && old.providerID !== spec.providerID) errors.push(forbiddenField('spec.providerID', assignedOnce('providerID')))
  errors.push(...taintErrors(spec.taints ?? []))
  if ((old.externalID ?? '') !== (spec.externalID ?? '')) errors.push(forbiddenField('spec.externalID', 'may not be updated'))
  return errors
}

function warnings({ spec }: Node): string[] {
  return spec?.externalID ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : []
}
