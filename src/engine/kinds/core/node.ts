/** Rules of Nodes. Recorded from kube-apiserver 1.31. */

import { append } from '../../core/lists'
import type { KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Engine } from '../../registry/engine'
import type { Strategy } from '../../registry/strategy'
import { copyExplicitQuantity, explicitQuantity } from '../../schema/explicit-quantities'
import { repeatsIn } from '../../schema/repeats'
import { rangeFieldErrors } from '../../validation/address-problems'
import { addressFamily, cidrFamily } from '../../validation/addresses'
import {
  duplicate,
  duplicatePrinted,
  errorsOfItems,
  forbiddenField,
  internalField,
  invalidLabelValue,
  invalidValue,
  notSupported,
  required,
} from '../../validation/field-errors'
import { invalidList, printedStructure } from '../../validation/go-literal'
import { jsonAnnotation } from '../../validation/json-annotations'
import { labelValueProblems, qualifiedNameProblems } from '../../validation/names'
import { resourceQuantityErrors, roundAmounts } from '../../validation/quantities'

interface Taint {
  key?: string
  value?: string
  effect?: string
  timeAdded?: string
}

type Amounts = Record<string, string>

interface Node extends KubeObject {
  spec?: {
    podCIDR?: string
    podCIDRs?: string[]
    providerID?: string
    taints?: Taint[]
    externalID?: string
    configSource?: unknown
  }
  status?: {
    capacity?: Amounts
    allocatable?: Amounts
    addresses?: { type?: string; address?: string }[]
    config?: unknown
    features?: unknown
    declaredFeatures?: string[] | null
    runtimeHandlers?: unknown
  }
}

export const nodeStrategy: Strategy = {
  defaults(object) {
    const { spec, status } = object as Node
    if (spec?.podCIDR && spec.podCIDRs?.[0] !== spec.podCIDR) spec.podCIDRs = [spec.podCIDR]
    else if (spec?.podCIDRs?.[0]) spec.podCIDR = spec.podCIDRs[0]
    if (status?.capacity && !status.allocatable) {
      status.allocatable = { ...status.capacity }
      for (const name in status.capacity)
        copyExplicitQuantity(status.capacity, status.allocatable, name)
    }
    roundAmounts(status?.capacity)
    roundAmounts(status?.allocatable)
  },
  prepareForCreate(object, { engine }) {
    dropConfiguration(object as Node, undefined)
    dropGated(object as Node, engine.featureGates)
  },
  prepareForUpdate(object, old, { engine }) {
    object.status = old.status && { ...old.status }
    dropConfiguration(object as Node, old as Node)
    dropGated(object as Node, engine.featureGates, old as Node)
  },
  validate(object) {
    const { metadata, spec = {}, status = {} } = object as Node
    return [
      ...annotationErrors(metadata.annotations ?? {}),
      ...taintErrors(spec.taints ?? []),
      ...resourceErrors(status),
      ...declaredFeatureErrors(status.declaredFeatures ?? []),
      ...rangeErrors(spec.podCIDRs ?? []),
    ]
  },
  validateUpdate: (object, old) => changeErrors(object as Node, old as Node),
  warningsOnCreate: (object) => warnings(object as Node),
  warningsOnUpdate: (object) => warnings(object as Node),
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
      dropConfiguration(object as Node, old as Node)
    },
    validateUpdate: (object, old) => changeErrors(object as Node, old as Node),
  },
}

/** Writes to the status keep gated members. */
function dropGated({ status }: Node, gates: Engine['featureGates'], old?: Node): void {
  if (!gates.RecursiveReadOnlyMounts && !gates.UserNamespacesSupport) delete status?.runtimeHandlers
  if (!gates.SupplementalGroupsPolicy && old?.status?.features === undefined)
    delete status?.features
  if (!gates.NodeDeclaredFeatures && old?.status?.declaredFeatures === undefined)
    delete status?.declaredFeatures
}

/** KEP-5328. */
const DECLARED_FEATURE = /^(?:[A-Z][a-zA-Z0-9]*)(?:\/[a-zA-Z][a-zA-Z0-9]*)*$/
const FEATURE_FORM =
  "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes"

function declaredFeatureErrors(features: readonly string[]): FieldError[] {
  const path = 'status.declaredFeatures'
  return features.flatMap((feature, i) => {
    const errors = DECLARED_FEATURE.test(feature)
      ? []
      : [
          invalidValue(
            `${path}[${i}]`,
            feature,
            `invalid feature name ${JSON.stringify(feature)}: ${FEATURE_FORM}`,
          ),
        ]
    const [next, field] = [features[i + 1], `${path}[${i + 1}]`]
    if (feature === next) errors.push(duplicate(field, next))
    else if (next !== undefined && feature > next)
      errors.push(invalidValue(field, next, 'list must be sorted alphabetically'))
    return errors
  })
}

/** Removed feature DynamicKubeletConfig, unless stored. */
function dropConfiguration({ spec, status }: Node, old: Node | undefined): void {
  if (!old?.spec?.configSource) delete spec?.configSource
  if (!old?.status?.config) delete status?.config
}

const AVOIDED_PODS = 'scheduler.alpha.kubernetes.io/preferAvoidPods'
const TAINTS = 'scheduler.alpha.kubernetes.io/taints'
const ANNOTATIONS = 'metadata.annotations'

function annotationErrors(annotations: Record<string, string>): FieldError[] {
  const errors: FieldError[] = []
  if (annotations[TAINTS]) {
    const { value, problem } = jsonAnnotation(annotations[TAINTS], 'list', '[]core.Taint')
    if (problem === undefined)
      append(errors, taintErrors(value as unknown as Taint[], `${ANNOTATIONS}.${TAINTS}`))
    else errors.push(invalidValue(ANNOTATIONS, TAINTS, problem))
  }
  if (!annotations[AVOIDED_PODS]) return errors
  const { value, problem } = jsonAnnotation(annotations[AVOIDED_PODS], 'object', 'v1.AvoidPods')
  if (problem !== undefined)
    return [...errors, invalidValue(`${ANNOTATIONS}.AvoidPods`, AVOIDED_PODS, problem)]
  const { preferAvoidPods } = value as {
    preferAvoidPods?: { podSignature?: { podController?: { controller?: boolean } } }[]
  }
  return [
    ...errors,
    ...errorsOfItems(preferAvoidPods, ({ podSignature }, i) =>
      avoidedErrors(podSignature?.podController, i),
    ),
  ]
}

function avoidedErrors(controller: { controller?: boolean } | undefined, i: number): FieldError[] {
  const field = `${ANNOTATIONS}.${AVOIDED_PODS}[${i}].PodSignature`
  if (!controller) return [required(field)]
  return controller.controller === true
    ? []
    : [invalidValue(`${field}.PodController.Controller`, false, 'must point to a controller')]
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

function taintErrors(taints: Taint[], path = 'metadata.taints'): FieldError[] {
  const seen = new Set<string>()
  return taints.flatMap((taint, i) => {
    const { key = '', value = '', effect = '' } = taint
    const at = `${path}[${i}]`
    const valueProblems = labelValueProblems(value)
    const errors = qualifiedNameProblems(key).map((problem) =>
      invalidValue(`${at}.key`, key, problem),
    )
    if (valueProblems.length > 0)
      errors.push(invalidLabelValue(`${at}.value`, value, valueProblems.join(';')))
    if (effect === '') errors.push(required(`${at}.effect`))
    else if (!EFFECTS.includes(effect)) errors.push(notSupported(`${at}.effect`, effect, EFFECTS))
    const identity = `${effect} ${key}`
    if (seen.has(identity)) {
      const why = 'taints must be unique by key and effect pair'
      errors.push(duplicatePrinted(at, printedStructure('Taint', taint), why))
    }
    seen.add(identity)
    return errors
  })
}

const resourceErrors = ({ capacity, allocatable }: NonNullable<Node['status']>): FieldError[] => [
  ...amountErrors('status.capacity', capacity),
  ...amountErrors('status.allocatable', allocatable),
]

function amountErrors(path: string, amounts: Amounts = {}): FieldError[] {
  return Object.keys(amounts)
    .sort()
    .flatMap((name) =>
      resourceQuantityErrors(
        path + (name === '' ? '[]' : `.${name}`),
        name,
        explicitQuantity(amounts, name),
      ),
    )
}

function rangeErrors(ranges: string[]): FieldError[] {
  const path = 'spec.podCIDRs'
  // IPv4-mapped IPv6 counts as IPv4.
  const families = ranges.map(
    (range) => cidrFamily(range) && addressFamily(range.replace(/\/.*/, '')),
  )
  const errors = errorsOfItems(ranges, (range, i) => rangeFieldErrors(`${path}[${i}]`, range))
  if (ranges.length < 2) return errors
  const wrong = families.indexOf(undefined)
  if (wrong >= 0) {
    const why = `invalid CIDR[${wrong}]: <nil> (invalid CIDR address: ${ranges[wrong]})`
    errors.push(
      internalField(path, `invalid PodCIDRs. failed to check with dual stack with error:${why}`),
    )
  }
  if (wrong >= 0 || new Set(families).size < 2 || ranges.length > 2)
    errors.push(invalidList(path, ranges, 'may specify no more than one CIDR for each IP family'))
  const isRepeat = repeatsIn(ranges)
  return [
    ...errors,
    ...errorsOfItems(ranges, (range, i) =>
      isRepeat(i) ? [duplicate(`${path}[${i}]`, range)] : [],
    ),
  ]
}

const assignedOnce = (name: string): string =>
  `node updates may not change ${name} except from "" to valid`

/** Some rules also apply to new nodes, so errors repeat. */
function changeErrors(
  { metadata, spec = {}, status = {} }: Node,
  { spec: old = {} }: Node,
): FieldError[] {
  const errors = [...annotationErrors(metadata.annotations ?? {}), ...resourceErrors(status)]
  append(errors, declaredFeatureErrors(status.declaredFeatures ?? []))
  const seen = new Set<string>()
  for (const [i, { type = '', address = '' }] of (status.addresses ?? []).entries()) {
    const value = printedStructure('NodeAddress', { type, address })
    if (seen.has(value.go)) errors.push(duplicatePrinted(`status.addresses[${i}]`, value))
    seen.add(value.go)
  }
  const [ranges, before] = [spec.podCIDRs ?? [], old.podCIDRs ?? []]
  const changed =
    ranges.length === before.length
      ? before.filter((range, i) => range !== ranges[i])
      : before.slice(0, 1)
  append(
    errors,
    changed.map(() => forbiddenField('spec.podCIDRs', assignedOnce('podCIDR'))),
  )
  if (old.providerID && old.providerID !== spec.providerID)
    errors.push(forbiddenField('spec.providerID', assignedOnce('providerID')))
  append(errors, taintErrors(spec.taints ?? []))
  if ((old.externalID ?? '') !== (spec.externalID ?? ''))
    errors.push(forbiddenField('spec.externalID', 'may not be updated'))
  return errors
}

function warnings({ spec }: Node): string[] {
  return spec?.externalID
    ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes']
    : []
}
