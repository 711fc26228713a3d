/** Validates environment variables. Recorded from kube-apiserver 1.31. */

import { append } from '../../../core/lists'
import type { FieldError } from '../../../http/status'
import { compareQuantities, parseQuantity, ZERO_QUANTITY } from '../../../schema/quantity'
import { dataKeyProblems } from '../../../validation/data-keys'
import {
  errorsOfItems,
  invalidValue,
  notFoundField,
  notSupported,
  required,
  sinceChange,
} from '../../../validation/field-errors'
import {
  dnsLabelProblems,
  dnsSubdomain,
  dnsSubdomainProblems,
  environmentNameProblems,
  qualifiedNameProblems,
  relaxedEnvironmentNameProblems,
} from '../../../validation/names'
import { backstepErrors } from '../../../validation/paths'
import type {
  EnvFromSource,
  EnvVar,
  FieldRef,
  FileKeySelector,
  KeySelector,
  ResourceFieldRef,
} from '../pod-types'
import { containersOf, type PodSpec } from '../pod-types'
import type { PodValidationOptions } from './options'

const nameProblems = (name: string, { allowsRelaxedEnvNames }: PodValidationOptions): string[] =>
  allowsRelaxedEnvNames ? relaxedEnvironmentNameProblems(name) : environmentNameProblems(name)

export function envErrors(
  variables: EnvVar[],
  path: string,
  options: PodValidationOptions,
): FieldError[] {
  return errorsOfItems(variables, (variable, i) => {
    const at = `${path}[${i}]`
    const { name = '' } = variable
    const errors =
      name === ''
        ? [required(`${at}.name`)]
        : nameProblems(name, options).map((problem) => invalidValue(`${at}.name`, name, problem))
    if (variable.valueFrom) append(errors, valueFromErrors(variable, `${at}.valueFrom`))
    return errors
  })
}

/** For variables. */
const ENV_FIELDS = [
  ...[
    'metadata.name',
    'metadata.namespace',
    'metadata.uid',
    'spec.nodeName',
    'spec.serviceAccountName',
  ],
  ...['status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs'],
]
const RESOURCE_FIELDS = ['limits', 'requests'].flatMap((kind) =>
  ['cpu', 'ephemeral-storage', 'memory'].map((name) => `${kind}.${name}`),
)

function valueFromErrors({ value = '', valueFrom }: EnvVar, path: string): FieldError[] {
  if (valueFrom === undefined || valueFrom === null) return []
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom
  const refs = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef]
  const sources = refs.filter(Boolean).length
  const errors: FieldError[] = []
  if (fieldRef) append(errors, fieldRefErrors(fieldRef, ENV_FIELDS, `${path}.fieldRef`))
  if (resourceFieldRef)
    append(errors, resourceFieldErrors(resourceFieldRef, false, `${path}.resourceFieldRef`))
  if (configMapKeyRef) append(errors, keySelectorErrors(configMapKeyRef, `${path}.configMapKeyRef`))
  if (secretKeyRef) append(errors, keySelectorErrors(secretKeyRef, `${path}.secretKeyRef`))
  if (fileKeyRef) append(errors, fileKeyErrors(fileKeyRef, `${path}.fileKeyRef`))
  if (sources === 0)
    errors.push(
      sinceChange(
        'EnvFilesNamed',
        invalidValue(path, '', `${ONE_OF}, \`secretKeyRef\` or \`fileKeyRef\``),
        invalidValue(path, '', `${ONE_OF} or \`secretKeyRef\``),
      ),
    )
  else if (value !== '')
    errors.push(invalidValue(path, '', 'may not be specified when `value` is not empty'))
  else if (sources > 1) errors.push(invalidValue(path, '', MORE_THAN_ONE))
  return errors
}

const ONE_OF = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`'
const MORE_THAN_ONE = 'may not have more than one field specified at a time'

/** For any reference. */
const KNOWN_FIELDS = new Set([
  ...ENV_FIELDS,
  ...[
    'metadata.annotations',
    'metadata.labels',
    'spec.restartPolicy',
    'spec.schedulerName',
    'status.phase',
    'spec.host',
  ],
])

/** @param supported sorted */
export function fieldRefErrors(
  { apiVersion = '', fieldPath = '' }: FieldRef,
  supported: string[],
  path: string,
): FieldError[] {
  if (apiVersion === '') return [required(`${path}.apiVersion`)]
  if (fieldPath === '') return [required(`${path}.fieldPath`)]
  const cannotConvert = (why: string) => [
    invalidValue(`${path}.fieldPath`, fieldPath, `error converting fieldPath: ${why}`),
  ]
  if (apiVersion !== 'v1') return cannotConvert(`unsupported pod version: ${apiVersion}`)
  const at = fieldPath.endsWith("']") ? fieldPath.slice(0, -2).lastIndexOf("['") : -1
  if (at > 0) {
    const [base, key] = [fieldPath.slice(0, at), fieldPath.slice(at + 2, -2)]
    if (base !== 'metadata.labels' && base !== 'metadata.annotations')
      return cannotConvert(`field label does not support subscript: ${fieldPath}`)
    return qualifiedNameProblems(base === 'metadata.annotations' ? key.toLowerCase() : key).map(
      (problem) => invalidValue(path, key, problem),
    )
  }
  if (!KNOWN_FIELDS.has(fieldPath)) return cannotConvert(`field label not supported: ${fieldPath}`)
  const internal = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath
  return supported.includes(internal)
    ? []
    : [notSupported(`${path}.fieldPath`, internal, supported)]
}

const BYTE_DIVISORS = [
  '1',
  '1k',
  '1M',
  '1G',
  '1T',
  '1P',
  '1E',
  '1Ki',
  '1Mi',
  '1Gi',
  '1Ti',
  '1Pi',
  '1Ei',
]
/** By resource suffix. */
const DIVISORS: [RegExp, string[], string, string][] = [
  [/^(?:limits|requests)\.cpu$/, ['1m', '1'], '1m and 1', 'cpu'],
  [/^(?:limits|requests)\.memory$/, BYTE_DIVISORS, BYTE_DIVISORS.join(', '), 'memory'],
  [
    /^(?:limits|requests)\.ephemeral-storage$/,
    BYTE_DIVISORS,
    BYTE_DIVISORS.join(', '),
    'local ephemeral storage',
  ],
  [/^(?:limits|requests)\.hugepages-/, BYTE_DIVISORS, BYTE_DIVISORS.join(', '), 'hugepages'],
]

/** @param inVolume requires a container name */
export function resourceFieldErrors(
  reference: ResourceFieldRef,
  inVolume: boolean,
  path: string,
): FieldError[] {
  const { containerName = '', resource = '', divisor = '0' } = reference
  const errors: FieldError[] = []
  if (inVolume && containerName === '') errors.push(required(`${path}.containerName`))
  else if (resource === '') errors.push(required(`${path}.resource`))
  else if (
    !RESOURCE_FIELDS.includes(resource) &&
    !/^(?:limits|requests)\.hugepages-/.test(resource)
  )
    errors.push(notSupported(`${path}.resource`, resource, RESOURCE_FIELDS))
  const quantity = parseQuantity(String(divisor))
  if (compareQuantities(quantity, ZERO_QUANTITY) === 0) return errors
  const rule = DIVISORS.find(([names]) => names.test(resource))
  if (rule === undefined || rule[1].includes(String(divisor))) return errors
  return [
    ...errors,
    invalidValue(
      `${path}.divisor`,
      resource,
      `only divisor's values ${rule[2]} are supported with the ${rule[3]} resource`,
    ),
  ]
}

/** KEP-3721. */
function fileKeyErrors(
  { volumeName = '', path: file = '', key = '' }: FileKeySelector,
  path: string,
): FieldError[] {
  const named = (field: string, value: string, problems: (value: string) => readonly string[]) =>
    value === ''
      ? [required(field)]
      : problems(value).map((problem) => invalidValue(field, value, problem))
  const at = `${path}.path`
  return [
    ...named(`${path}.key`, key, relaxedEnvironmentNameProblems),
    ...named(`${path}.volumeName`, volumeName, dnsLabelProblems),
    ...(file === '' ? [required(at)] : backstepErrors(at, file)),
  ]
}

/** Files of environment variables are in emptyDir volumes. */
export function fileVolumeErrors(spec: PodSpec, path: string): FieldError[] {
  return errorsOfItems(containersOf(spec, path), ({ container, path: at }) =>
    errorsOfItems(container.env, ({ valueFrom }, i) => {
      if (!valueFrom?.fileKeyRef) return []
      const { volumeName = '' } = valueFrom.fileKeyRef
      const field = `${at}.env[${i}].valueFrom.fileKeyRef.volumeName`
      const volume = spec.volumes?.find(({ name }) => name === volumeName)
      if (volume === undefined) return [notFoundField(field, volumeName)]
      return volume.emptyDir
        ? []
        : [invalidValue(field, volumeName, 'referenced volume must be of type emptyDir')]
    }),
  )
}

function keySelectorErrors({ name = '', key = '' }: KeySelector, path: string): FieldError[] {
  const errors = dnsSubdomainProblems(name).map((problem) =>
    invalidValue(`${path}.name`, name, problem),
  )
  if (key === '') return [...errors, required(`${path}.key`)]
  return [
    ...errors,
    ...dataKeyProblems(key).map((problem) => invalidValue(`${path}.key`, key, problem)),
  ]
}

export function envFromErrors(
  sources: EnvFromSource[],
  path: string,
  options: PodValidationOptions,
): FieldError[] {
  return errorsOfItems(sources, ({ prefix = '', configMapRef, secretRef }, i) => {
    const at = `${path}[${i}]`
    const errors =
      prefix === ''
        ? []
        : nameProblems(prefix, options).map((problem) =>
            invalidValue(`${at}.prefix`, prefix, problem),
          )
    if (configMapRef) append(errors, sourceNameErrors(configMapRef.name, `${at}.configMapRef.name`))
    if (secretRef) append(errors, sourceNameErrors(secretRef.name, `${at}.secretRef.name`))
    // kube-apiserver prints the list's path.
    if (!configMapRef && !secretRef)
      errors.push(invalidValue(path, '', 'must specify one of: `configMapRef` or `secretRef`'))
    else if (configMapRef && secretRef) errors.push(invalidValue(path, '', MORE_THAN_ONE))
    return errors
  })
}

/** kube-apiserver validates them as prefixes. */
const sourceNameErrors = (name: string | undefined, field: string): FieldError[] =>
  name
    ? dnsSubdomain(name, true).map((problem) => invalidValue(field, name, problem))
    : [required(field)]
