/** Validates the device requests of a claim. Recorded from kube-apiserver 1.31. */
import { compile } from '../../cel/compile'
import { serverEnvironment } from '../../cel/server-environment'
import { BOOL, DYN, mapOf, object, readType, STRING } from '../../cel/types/type'
import { isJsonObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { invalidValue, notSupported, required, tooLong } from '../../validation/field-errors'
import { setErrors } from '../../validation/sets'
import { driverNameErrors } from '../../validation/volumes'
import { fullyQualifiedErrors, labelNameErrors, subdomainErrors } from './names'
import type { DeviceToleration } from './taints'

export interface Selector {
  cel?: { expression?: string }
}

export interface ExactRequest {
  name?: string
  deviceClassName?: string
  selectors?: Selector[]
  allocationMode?: string
  count?: number
  adminAccess?: boolean
  tolerations?: DeviceToleration[]
}

/** v1alpha3 has only the members of ExactRequest. */
export interface DeviceRequest extends ExactRequest {
  exactly?: ExactRequest
  firstAvailable?: ExactRequest[]
}

export interface Constraint {
  requests?: string[]
  matchAttribute?: string
  distinctAttribute?: string
}

export interface Configuration {
  requests?: string[]
  opaque?: { driver?: string; parameters?: unknown }
}

export interface DeviceClaim {
  requests?: DeviceRequest[] | null
  constraints?: Constraint[]
  config?: Configuration[]
}

export interface ClaimSpec {
  controller?: string
  devices?: DeviceClaim
}

/** Items per list. */
export const LONGEST = 32

export function defaultClaim(spec: ClaimSpec | undefined): void {
  for (const request of spec?.devices?.requests ?? []) defaultMode(request)
}

/** Above v1alpha3. */
export function defaultDevices(spec: ClaimSpec | undefined): void {
  for (const request of spec?.devices?.requests ?? []) {
    const { exactly, firstAvailable, deviceClassName } = request
    if (exactly) defaultMode(exactly)
    for (const one of firstAvailable ?? []) defaultMode(one)
    if (deviceClassName) defaultMode(request)
  }
}

function defaultMode(request: ExactRequest): void {
  request.allocationMode ||= 'ExactCount'
  if (request.allocationMode === 'ExactCount') request.count ||= 1
}

export function claimErrors(
  { devices = {}, controller = '' }: ClaimSpec,
  path: string,
): FieldError[] {
  const { requests, constraints, config } = devices
  const names = new Set((requests ?? []).map(({ name = '' }) => name))
  const at = `${path}.devices`
  return [
    ...setErrors(requests, `${at}.requests`, {
      longest: LONGEST,
      errors: requestErrors,
      key: ({ name = '' }) => name,
      member: 'name',
    }),
    ...setErrors(constraints, `${at}.constraints`, {
      longest: LONGEST,
      errors: (one, field) => constraintErrors(one, names, field),
    }),
    ...setErrors(config, `${at}.config`, {
      longest: LONGEST,
      errors: (one, field) => [
        ...referenceErrors(one.requests, names, `${field}.requests`),
        ...configurationErrors(one, field),
      ],
    }),
    ...(controller === '' ? [] : driverNameErrors(`${path}.controller`, controller)),
  ]
}

export const MODES = ['All', 'ExactCount']

function requestErrors(
  { name = '', deviceClassName = '', selectors, allocationMode = '', count = 0 }: DeviceRequest,
  path: string,
): FieldError[] {
  return [
    ...labelNameErrors(`${path}.name`, name),
    ...subdomainErrors(`${path}.deviceClassName`, deviceClassName),
    ...selectorErrors(selectors, `${path}.selectors`),
    ...countErrors(allocationMode, count, path),
  ]
}

function countErrors(mode: string, count: number, path: string): FieldError[] {
  if (!MODES.includes(mode)) return [notSupported(`${path}.allocationMode`, mode, MODES)]
  const field = `${path}.count`
  if (mode === 'All')
    return count === 0
      ? []
      : [invalidValue(field, count, "must not be specified when allocationMode is 'All'")]
  return count > 0 ? [] : [invalidValue(field, count, 'must be greater than zero')]
}

export const selectorErrors = (selectors: Selector[] | undefined, path: string): FieldError[] =>
  setErrors(selectors, path, {
    longest: LONGEST,
    errors: ({ cel }, at) =>
      cel
        ? expressionErrors(cel.expression ?? '', `${at}.cel.expression`)
        : [required(`${at}.cel`)],
  })

const LONGEST_EXPRESSION = 10 * 1024

const DEVICE = object(
  'kubernetes.DRADevice',
  new Map([
    ['driver', STRING],
    ['attributes', mapOf(STRING, mapOf(STRING, DYN))],
    ['capacity', mapOf(STRING, mapOf(STRING, readType('kubernetes.Quantity')))],
  ]),
)

const environment = () => serverEnvironment({ device: DEVICE }, { use: 'new', strictCost: true })
let made: ReturnType<typeof environment> | undefined

function expressionErrors(expression: string, field: string): FieldError[] {
  if (expression.length > LONGEST_EXPRESSION) return [tooLong(field, LONGEST_EXPRESSION)]
  made ??= environment()
  const { program, issues } = compile(expression, made)
  if (program === undefined)
    return [invalidValue(field, expression, `compilation failed: ${issues}`)]
  const { kind, name } = program.type
  if (kind === BOOL.kind || kind === DYN.kind) return []
  return [invalidValue(field, expression, `must evaluate to bool or the unknown type, not ${name}`)]
}

function constraintErrors(
  { requests, matchAttribute }: Constraint,
  names: Set<string>,
  path: string,
): FieldError[] {
  const field = `${path}.matchAttribute`
  return [
    ...referenceErrors(requests, names, `${path}.requests`),
    ...(matchAttribute === undefined
      ? [required(field)]
      : fullyQualifiedErrors(field, matchAttribute)),
  ]
}

export function referenceErrors(
  requests: string[] | undefined,
  names: Set<string>,
  path: string,
): FieldError[] {
  return setErrors(requests, path, {
    longest: LONGEST,
    errors: (name, at) => requestReferenceErrors(name, names, at),
    key: (name) => name,
  })
}

export function requestReferenceErrors(
  name: string,
  names: Set<string>,
  field: string,
): FieldError[] {
  const unknown = names.has(name)
    ? []
    : [invalidValue(field, name, 'must be the name of a request in the claim')]
  return [...labelNameErrors(field, name), ...unknown]
}

export function configurationErrors({ opaque: given }: Configuration, path: string): FieldError[] {
  const field = `${path}.opaque`
  if (!given) return [required(field)]
  const { driver, parameters } = given
  return [
    ...driverNameErrors(`${field}.driver`, driver),
    ...parameterErrors(`${field}.parameters`, parameters),
  ]
}

function parameterErrors(field: string, parameters: unknown): FieldError[] {
  if (parameters === undefined || parameters === null) return [required(field)]
  return isJsonObject(parameters)
    ? []
    : [invalidValue(field, '<value omitted>', 'parameters must be a valid JSON object')]
}
