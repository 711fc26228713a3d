/** Rejects changes of Pods except in a few fields. Recorded from kube-apiserver 1.31. */

import { append } from '../../core/lists'
import { entryOf, equalJson, type Json } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { ReleaseTables } from '../../release-tables/tables'
import { canonicalValue } from '../../schema/canonical'
import { copyExplicitEmpties, deleteExplicitEmpty } from '../../schema/explicit-empties'
import { semanticallyEqual } from '../../schema/semantic-equality'
import { errorsOfItems, forbiddenField, invalidValue } from '../../validation/field-errors'
import {
  invalidMap,
  invalidStructure,
  invalidStructures,
  invalidTypedList,
  typeNamed,
} from '../../validation/go-literal'
import { goValue } from '../../validation/go-value'
import { qosClassOf } from '../../validation/pod-qos'
import { MIRROR_ANNOTATION } from '../../validation/pods'
import { tolerationErrors } from '../../validation/tolerations'
import { forbiddenChange } from '../../validation/value-changes'
import type {
  Affinity,
  Container,
  NodeAffinity,
  NodeSelectorTerm,
  Pod,
  PodSpec,
  Toleration,
} from './pod-types'
import { APPARMOR_PREFIX, hasInvalidCost, podAnnotationErrors } from './pod-validation/annotations'
import { imageErrors } from './pod-validation/containers'

const CHANGEABLE = [
  ...[
    '`spec.containers[*].image`',
    '`spec.initContainers[*].image`',
    '`spec.activeDeadlineSeconds`',
  ],
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
]

/** Without errors of the new pod itself. */
export function podChangeErrors(pod: Pod, old: Pod, tables: ReleaseTables): FieldError[] {
  const [spec, before] = [pod.spec ?? {}, old.spec ?? {}]
  const errors = annotationChangeErrors(pod, old)
  const type = typeNamed('PodSpec', tables)
  // In stored form empty lists equal absent ones.
  if (semanticallyEqual(type, canonicalValue(type, spec as Json, 'stored'), before)) return errors
  for (const list of ['containers', 'initContainers'] as const) {
    if ((spec[list]?.length ?? 0) !== (before[list]?.length ?? 0))
      return [
        ...errors,
        forbiddenField(`spec.${list}`, 'pod updates may not add or remove containers'),
      ]
    // Validated again: errors repeat.
    append(
      errors,
      (spec[list] ?? []).flatMap((container, i) => imageErrors(container, `spec.${list}[${i}]`)),
    )
  }
  const deadline = deadlineErrors(spec.activeDeadlineSeconds, before.activeDeadlineSeconds)
  append(errors, deadline)
  if (deadline.length > 0 && typeof spec.activeDeadlineSeconds === 'number') return errors
  append(
    errors,
    tolerationChangeErrors(spec.tolerations ?? [], before.tolerations ?? []),
    gateChangeErrors(spec, before),
  )
  // The class in the status counts, whatever its origin.
  if (qosClassOf(spec) !== (old.status?.qosClass || qosClassOf(before)))
    errors.push(invalidValue('metadata', pod.status?.qosClass ?? '', 'Pod QoS is immutable'))
  const rest = withoutChangeable(spec, before)
  if (before.schedulingGates?.length) append(errors, gatedChangeErrors(rest, spec, before))
  const changed = canonicalValue(type, rest as Json, 'stored')
  if (semanticallyEqual(type, changed, before)) return errors
  return [...errors, specChanged(rest, before, tables)]
}

function specChanged(spec: PodSpec, old: PodSpec, tables: ReleaseTables): FieldError {
  const type = typeNamed('PodSpec', tables)
  return forbiddenChange(
    tables.changes,
    'spec',
    `pod updates may not change fields other than ${CHANGEABLE.join(',')}`,
    goValue(type, old as Json),
    goValue(type, spec as Json),
  )
}

/** Profile and mirror pod annotations are immutable. Validates new ones too. */
export function annotationChangeErrors({ metadata, spec = {} }: Pod, old: Pod): FieldError[] {
  const [now, before] = [metadata.annotations ?? {}, old.metadata.annotations ?? {}]
  const forbiddenKeys = (keys: string[], verb: string) =>
    keys.sort().flatMap((key) => {
      const forbidden = (what: string) => [
        forbiddenField(`metadata.annotations[${key}]`, `may not ${verb} ${what}`),
      ]
      if (key.startsWith(APPARMOR_PREFIX)) return forbidden('AppArmor annotations')
      return key === MIRROR_ANNOTATION ? forbidden('mirror pod annotation') : []
    })
  return [
    ...forbiddenKeys(
      Object.keys(before).filter((key) => entryOf(now, key) !== entryOf(before, key)),
      'remove or update',
    ),
    ...forbiddenKeys(
      Object.keys(now).filter((key) => entryOf(before, key) === undefined),
      'add',
    ),
    ...podAnnotationErrors(now, spec, 'metadata.annotations', hasInvalidCost(before)),
  ]
}

const MAX_INT32 = 2147483647

/** May be set and reduced. */
function deadlineErrors(now: number | undefined, before: number | undefined): FieldError[] {
  const field = 'spec.activeDeadlineSeconds'
  if (typeof now !== 'number')
    return typeof before === 'number'
      ? [invalidValue(field, null, 'must not update from a positive integer to nil value')]
      : []
  if (now < 0 || now > MAX_INT32)
    return [invalidValue(field, now, `must be between 0 and ${MAX_INT32}, inclusive`)]
  return typeof before === 'number' && before < now
    ? [invalidValue(field, now, 'must be less than or equal to previous value')]
    : []
}

/** Existing ones may change only their seconds. */
function tolerationChangeErrors(now: Toleration[], before: Toleration[]): FieldError[] {
  const plain = (toleration: Toleration) => ({ ...toleration, tolerationSeconds: undefined })
  const kept = before.every((old) =>
    now.some((toleration) => equalJson(plain(toleration), plain(old))),
  )
  // Validated again.
  return kept
    ? tolerationErrors(now, 'spec.tolerations')
    : [
        forbiddenField(
          'spec.tolerations',
          'existing toleration can not be modified except its tolerationSeconds',
        ),
      ]
}

function gateChangeErrors(spec: PodSpec, before: PodSpec): FieldError[] {
  const known = (before.schedulingGates ?? []).map(({ name }) => name)
  return (spec.schedulingGates ?? []).flatMap(({ name }, i) => {
    if (known.includes(name)) return []
    return [
      forbiddenField(
        `spec.schedulingGates[${i}].name`,
        `only deletion is allowed, but found new scheduling gate '${name}'`,
      ),
    ]
  })
}

function withoutChangeable(spec: PodSpec, before: PodSpec): PodSpec {
  const withImages = (list: 'containers' | 'initContainers') =>
    spec[list]?.map((container: Container, i) =>
      withMember(container, 'image', before[list]?.[i]?.image),
    )
  const rest: PodSpec = { ...spec }
  copyExplicitEmpties(spec, rest)
  for (const list of ['containers', 'initContainers'] as const)
    if (spec[list]) rest[list] = withImages(list) ?? null
  // The list is rebuilt: an empty one becomes absent.
  deleteExplicitEmpty(rest, 'initContainers')
  put(rest, 'activeDeadlineSeconds', before.activeDeadlineSeconds)
  put(rest, 'tolerations', before.tolerations)
  put(rest, 'schedulingGates', before.schedulingGates)
  if ((before.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1)
    put(rest, 'terminationGracePeriodSeconds', before.terminationGracePeriodSeconds)
  return rest
}

function put<T extends object, K extends keyof T & string>(
  target: T,
  member: K,
  value: T[K] | undefined,
): void {
  deleteExplicitEmpty(target, member)
  if (value === undefined) delete target[member]
  else target[member] = value
}

function withMember<T extends object, K extends keyof T & string>(
  source: T,
  member: K,
  value: T[K] | undefined,
): T {
  const copy = { ...source }
  copyExplicitEmpties(source, copy)
  put(copy, member, value)
  return copy
}

/** Scheduling gates let node selection narrow. Resets those changes in `rest`. */
function gatedChangeErrors(rest: PodSpec, spec: PodSpec, before: PodSpec): FieldError[] {
  const errors: FieldError[] = []
  const [selector, old] = [spec.nodeSelector ?? {}, before.nodeSelector ?? {}]
  if (!equalJson(selector, old)) {
    if (Object.keys(old).some((key) => entryOf(selector, key) !== entryOf(old, key))) {
      const why = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)'
      errors.push(invalidMap('spec.nodeSelector', selector, why))
    }
    put(rest, 'nodeSelector', before.nodeSelector)
  }
  const [now, then] = [spec.affinity?.nodeAffinity, before.affinity?.nodeAffinity]
  if (!equalJson(now ?? null, then ?? null)) {
    append(errors, nodeAffinityChangeErrors(now, then, 'spec.affinity.nodeAffinity'))
    put(rest, 'affinity', affinityWith(spec.affinity, before.affinity))
  }
  return errors
}

function affinityWith(
  affinity: Affinity | undefined,
  before: Affinity | undefined,
): Affinity | undefined {
  if (!affinity) return before?.nodeAffinity ? { nodeAffinity: before.nodeAffinity } : undefined
  if (!before && !affinity.podAffinity && !affinity.podAntiAffinity) return undefined
  return withMember(affinity, 'nodeAffinity', before?.nodeAffinity)
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution'

/** As many terms, each with its old requirements. */
function nodeAffinityChangeErrors(
  now: NodeAffinity | undefined,
  before: NodeAffinity | undefined,
  path: string,
): FieldError[] {
  const old = before?.[REQUIRED]?.nodeSelectorTerms
  if (!old?.length) return []
  const at = `${path}.${REQUIRED}.nodeSelectorTerms`
  const terms = now?.[REQUIRED]?.nodeSelectorTerms ?? []
  if (terms.length !== old.length) {
    const why = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed'
    return [
      terms.length === 0
        ? invalidTypedList(at, 'core.NodeSelectorTerm', undefined, why)
        : invalidStructures(at, 'NodeSelectorTerm', terms, why),
    ]
  }
  const why = 'only additions are allowed (no mutations or deletions)'
  return errorsOfItems(terms, (term, i) =>
    onlyAdds(term, old[i] ?? {})
      ? []
      : [invalidStructure(`${at}[${i}]`, 'NodeSelectorTerm', term, why)],
  )
}

/** An empty term matches nothing, and stays empty. */
function onlyAdds(term: NodeSelectorTerm, prior: NodeSelectorTerm): boolean {
  const members = ['matchExpressions', 'matchFields'] as const
  if (members.every((member) => !prior[member]?.length))
    return members.every((member) => !term[member]?.length)
  return members.every((member) => {
    const before = prior[member] ?? []
    return equalJson((term[member] ?? []).slice(0, before.length), before)
  })
}
