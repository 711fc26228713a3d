/**
 * k8s.io/apimachinery, pkg/api/validation/objectmeta.go. Messages recorded from kube-apiserver
 * 1.31.
 */

import { append } from '../core/lists'
import type { KubeObject, ObjectMeta, OwnerReference } from '../core/object'
import { entryOf, parseApiVersion } from '../core/object'
import type { FieldError } from '../http/status'
import { goJson } from '../schema/go-json'
import { goQuote } from '../schema/go-text'
import { lazy } from '../schema/lazy'
import {
  forbiddenField,
  invalidLabelValue,
  invalidNamed,
  invalidPrinted,
  invalidValue,
  type Printed,
  printedTime,
  required,
  sinceChange,
  tooLong,
} from './field-errors'
import type { NameRule } from './name-rule'
import {
  areLabels,
  byteLength,
  labelValueProblems,
  pathSegment,
  qualifiedNameProblems,
} from './names'

const MAX_ANNOTATION_BYTES = 256 * 1024
const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion'])

const IMMUTABLE = 'field is immutable'

export function validateLabels(
  labels: Record<string, string> | undefined,
  path: string,
): FieldError[] {
  const errors: FieldError[] = []
  if (labels === undefined || areLabels(labels)) return errors
  for (const key of Object.keys(labels).sort()) {
    for (const problem of qualifiedNameProblems(key)) errors.push(invalidValue(path, key, problem))
    const value = entryOf(labels, key) ?? ''
    for (const problem of labelValueProblems(value))
      errors.push(invalidLabelValue(path, value, problem))
  }
  return errors
}

export function validateAnnotations(
  annotations: Record<string, string> | undefined,
  path: string,
): FieldError[] {
  const errors: FieldError[] = []
  let size = 0
  for (const key of Object.keys(annotations ?? {}).sort()) {
    for (const problem of qualifiedNameProblems(key.toLowerCase()))
      errors.push(invalidValue(path, key, problem))
    size += byteLength(key) + byteLength(entryOf(annotations, key) ?? '')
  }
  if (size > MAX_ANNOTATION_BYTES) errors.push(tooLong(path, MAX_ANNOTATION_BYTES))
  return errors
}

function printedOwner(owner: OwnerReference): Printed {
  const flag = (value: boolean | undefined) =>
    value === undefined ? '(*bool)(nil)' : '(*bool)(0xc000000000)'
  const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = owner
  return {
    go: `v1.OwnerReference{APIVersion:${goQuote(apiVersion)}, Kind:${goQuote(kind)}, Name:${goQuote(name)}, UID:${goQuote(uid)}, Controller:${flag(controller)}, BlockOwnerDeletion:${flag(blockOwnerDeletion)}}`,
    json: goJson({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }),
  }
}

function printedOwners(owners: OwnerReference[]): Printed {
  const all = owners.map(printedOwner)
  return {
    go: `[]v1.OwnerReference{${all.map(({ go }) => go).join(', ')}}`,
    json: `[${all.map(({ json }) => json).join(',')}]`,
  }
}

const BANNED_OWNERS = new Set(['v1 Event'])

function validateOwners(owners: OwnerReference[], path: string): FieldError[] {
  const errors: FieldError[] = []
  let controller: string | undefined
  // Each error quotes all references.
  const all = lazy(() => printedOwners(owners))
  for (const [index, owner] of owners.entries()) {
    append(errors, ownerErrors(owner, path, `${path}[${index}]`))
    if (owner.controller !== true) continue
    const name = `${owner.kind}/${owner.name}`
    if (controller === undefined) controller = name
    else {
      const why = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`
      errors.push(invalidPrinted(path, all(), why))
    }
  }
  return errors
}

/** @param path of all owners, for releases until 1.36 */
function ownerErrors(owner: OwnerReference, path: string, at: string): FieldError[] {
  const errors: FieldError[] = []
  const push = (now: FieldError, before: FieldError) =>
    errors.push(sinceChange('OwnersNamedByIndex', now, before))
  const { apiVersion } = owner
  const { version } = parseApiVersion(apiVersion)
  if (version === '' || apiVersion.split('/').length > 2)
    push(
      apiVersion === ''
        ? required(`${at}.apiVersion`, EMPTY_MEMBER)
        : invalidValue(`${at}.apiVersion`, apiVersion, NO_API_VERSION),
      invalidValue(`${path}.apiVersion`, apiVersion, 'version must not be empty'),
    )
  for (const member of ['kind', 'name', 'uid'] as const)
    if (owner[member] === '')
      push(
        required(`${at}.${member}`, EMPTY_MEMBER),
        invalidNamed(`${path}.${member}`, owner[member], { name: member, why: EMPTY_MEMBER }),
      )
  if (BANNED_OWNERS.has(`${owner.apiVersion} ${owner.kind}`)) {
    const banned = (field: string) =>
      invalidPrinted(
        field,
        printedOwner(owner),
        `/${version}, Kind=${owner.kind} is disallowed from being an owner`,
      )
    push(settled(banned(at)), banned(path))
  }
  return errors
}

function settled({ field, reason, detail, later }: FieldError): FieldError {
  const latest = later?.at(-1)?.detail
  return { field, reason, detail: typeof latest === 'string' ? latest : detail }
}

const EMPTY_MEMBER = 'must not be empty'
const NO_API_VERSION = 'must be <group>/<version> or <version>'

export const UNQUALIFIED_FINALIZER =
  'name is neither a standard finalizer name nor is it fully qualified'

export const isUnqualifiedFinalizer = (finalizer: string): boolean =>
  !finalizer.includes('/') && !STANDARD_FINALIZERS.has(finalizer)

function unqualifiedFinalizers(meta: ObjectMeta, rules: MetaRules): FieldError[] {
  if (!rules.checksFinalizerNames || meta.finalizers === undefined) return []
  return meta.finalizers.flatMap((finalizer, index) =>
    isUnqualifiedFinalizer(finalizer)
      ? [invalidValue(`metadata.finalizers[${index}]`, finalizer, UNQUALIFIED_FINALIZER)]
      : [],
  )
}

function validateFinalizers(finalizers: string[], path: string): FieldError[] {
  const errors: FieldError[] = []
  for (const finalizer of finalizers) {
    for (const problem of qualifiedNameProblems(finalizer))
      errors.push(invalidValue(path, finalizer, problem))
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(
      invalidPrinted(
        path,
        { go: `[]string{${finalizers.map(goQuote).join(', ')}}`, json: goJson(finalizers) },
        'finalizer orphan and foregroundDeletion cannot be both set',
      ),
    )
  }
  return errors
}

export interface MetaRules {
  namespaced: boolean
  nameRule: NameRule
  /** Most built-in kinds require qualified finalizer names. */
  checksFinalizerNames: boolean
}

/** In kube-apiserver's order. */
export function validateObjectMeta(object: KubeObject, rules: MetaRules): FieldError[] {
  const meta = object.metadata
  const path = 'metadata'
  const errors: FieldError[] = []
  if (meta.generateName) {
    for (const problem of rules.nameRule(meta.generateName, true))
      errors.push(invalidValue(`${path}.generateName`, meta.generateName, problem))
  }
  if (!meta.name) errors.push(required(`${path}.name`, 'name or generateName is required'))
  else
    for (const problem of rules.nameRule(meta.name, false))
      errors.push(invalidValue(`${path}.name`, meta.name, problem))
  if (rules.namespaced) {
    if (!meta.namespace) errors.push(required(`${path}.namespace`))
  } else if (meta.namespace)
    errors.push(forbiddenField(`${path}.namespace`, 'not allowed on this type'))
  if ((meta.generation ?? 0) < 0)
    errors.push(
      invalidValue(`${path}.generation`, meta.generation, 'must be greater than or equal to 0'),
    )
  append(
    errors,
    validateMaps(meta, path),
    validateEntries(meta, path, true),
    unqualifiedFinalizers(meta, rules),
  )
  return errors
}

function validateMaps(meta: ObjectMeta, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (meta.labels) append(errors, validateLabels(meta.labels, `${path}.labels`))
  if (meta.annotations) append(errors, validateAnnotations(meta.annotations, `${path}.annotations`))
  if (meta.ownerReferences)
    append(errors, validateOwners(meta.ownerReferences, `${path}.ownerReferences`))
  return errors
}

function validateEntries(meta: ObjectMeta, path: string, withFinalizers: boolean): FieldError[] {
  const errors: FieldError[] = []
  if (withFinalizers && meta.finalizers)
    append(errors, validateFinalizers(meta.finalizers, `${path}.finalizers`))
  const entries = meta.managedFields ?? []
  for (let index = 0; index < entries.length; index++) {
    const manager = entries[index]?.manager ?? ''
    // No UTF-16 code unit has more than three bytes in UTF-8.
    if (manager.length * 3 > MAX_MANAGER_BYTES && byteLength(manager) > MAX_MANAGER_BYTES)
      errors.push(tooLong(`${path}.managedFields[${index}].manager`, MAX_MANAGER_BYTES))
  }
  return errors
}

const MAX_MANAGER_BYTES = 128

/**
 * The generic registry's checks. The kind's own rules repeat most of them, and kube-apiserver lists
 * both errors. Recorded from kube-apiserver 1.31.
 */
export function validateCommonUpdate(
  object: KubeObject,
  old: KubeObject,
  namespaced: boolean,
): FieldError[] {
  const rules: MetaRules = { namespaced, nameRule: pathSegment, checksFinalizerNames: false }
  return [...validateObjectMeta(object, rules), ...validateObjectMetaUpdate(object, old, rules)]
}

/** Server-owned members are already carried over. */
export function validateObjectMetaUpdate(
  object: KubeObject,
  old: KubeObject,
  rules: MetaRules,
): FieldError[] {
  const meta = object.metadata
  const before = old.metadata
  const errors: FieldError[] = []
  const immutable = (field: string, value: unknown, previous: unknown) => {
    if ((value ?? '') !== (previous ?? ''))
      errors.push(invalidValue(`metadata.${field}`, value ?? '', IMMUTABLE))
  }
  const immutableTime = (
    field: string,
    value: string | null | undefined,
    previous: string | null | undefined,
  ) => {
    if ((value ?? '') !== (previous ?? ''))
      errors.push(invalidPrinted(`metadata.${field}`, printedTime(value || undefined), IMMUTABLE))
  }
  const isNew = (finalizer: string) => !before.finalizers?.includes(finalizer)
  const added = before.deletionTimestamp
    ? [...new Set(meta.finalizers ?? [])].filter(isNew).sort()
    : []
  if (added.length > 0) {
    errors.push(
      forbiddenField(
        'metadata.finalizers',
        `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map(goQuote).join(', ')}}`,
      ),
    )
  }
  if ((meta.generation ?? 0) < (before.generation ?? 0)) {
    errors.push(
      invalidValue('metadata.generation', meta.generation ?? 0, 'must not be decremented'),
    )
  }
  immutable('name', meta.name, before.name)
  immutable('namespace', meta.namespace, before.namespace)
  immutable('uid', meta.uid, before.uid)
  immutableTime('creationTimestamp', meta.creationTimestamp, before.creationTimestamp)
  immutableTime('deletionTimestamp', meta.deletionTimestamp, before.deletionTimestamp)
  immutable(
    'deletionGracePeriodSeconds',
    meta.deletionGracePeriodSeconds,
    before.deletionGracePeriodSeconds,
  )
  append(
    errors,
    validateMaps(meta, 'metadata'),
    validateEntries(meta, 'metadata', false),
    unqualifiedFinalizers(meta, rules),
  )
  return errors
}
