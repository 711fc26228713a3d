/**
 * Requests of claims as versions above v1alpha3 have them: for exact devices, or for the first
 * available of several. Rules recorded from kube-apiserver 1.37; others are from k8s.io/kubernetes,
 * pkg/apis/resource/validation.
 */
import { append } from '../../core/lists'
import type { FieldError } from '../../http/status'
import {
  duplicate,
  errorsOfItems,
  invalidValue,
  notSupported,
  required,
} from '../../validation/field-errors'
import { setErrors } from '../../validation/sets'
import {
  type Constraint,
  configurationErrors,
  type DeviceClaim,
  type DeviceRequest,
  type ExactRequest,
  LONGEST,
  MODES,
  selectorErrors,
} from './device-claim'
import { fullyQualifiedErrors, labelNameErrors, subdomainErrors } from './names'

const MOST_ALTERNATIVES = 8
const ONE_KIND = 'exactly one of `exactly` or `firstAvailable` is required'

/** Version v1beta1 has the members of `exactly` in the request itself. */
function exactPart(request: DeviceRequest): ExactRequest | undefined {
  if (request.exactly) return request.exactly
  return request.deviceClassName || request.allocationMode ? request : undefined
}

/** Names of requests, and of their alternatives: `gpu/big`. */
const requestNames = (requests: readonly DeviceRequest[]): Set<string> =>
  new Set(
    requests.flatMap(({ name = '', firstAvailable }) => [
      name,
      ...(firstAvailable ?? []).map((one) => `${name}/${one.name ?? ''}`),
    ]),
  )

/** The handwritten rules, then those of tags. */
export function deviceClaimErrors(
  { requests, constraints, config }: DeviceClaim,
  path: string,
): FieldError[] {
  const list = requests ?? []
  const names = requestNames(list)
  return [
    ...errorsOfItems(list, (request, i) => requestErrors(request, `${path}.requests[${i}]`)),
    ...setErrors(constraints, `${path}.constraints`, {
      longest: LONGEST,
      errors: (one, field) => constraintErrors(one, names, field),
    }),
    ...setErrors(config, `${path}.config`, {
      longest: LONGEST,
      errors: (one, field) => [
        ...referenceErrors(one.requests, names, `${field}.requests`),
        ...configurationErrors(one, field),
      ],
    }),
    ...repeatErrors(list, `${path}.requests`),
    ...errorsOfItems(list, (request, i) => choiceErrors(request, `${path}.requests[${i}]`)),
  ]
}

function requestErrors(request: DeviceRequest, path: string): FieldError[] {
  const { name = '', firstAvailable } = request
  const exact = exactPart(request)
  const alternatives = firstAvailable?.length ? firstAvailable : undefined
  const errors = labelNameErrors(`${path}.name`, name)
  append(
    errors,
    setErrors(alternatives, `${path}.firstAvailable`, {
      longest: MOST_ALTERNATIVES,
      errors: (one, field) => [
        ...labelNameErrors(`${field}.name`, one.name ?? ''),
        ...exactErrors(one, field),
      ],
    }),
  )
  if (exact) append(errors, exactErrors(exact, `${path}.exactly`))
  if (!exact && !alternatives) errors.push(required(path, ONE_KIND))
  if (exact && alternatives)
    errors.push(invalidValue(path, undefined, `${ONE_KIND}, but multiple fields are set`))
  return errors
}

function exactErrors(request: ExactRequest, path: string): FieldError[] {
  const { deviceClassName = '', selectors, allocationMode = '', count = 0 } = request
  const errors = [
    ...subdomainErrors(`${path}.deviceClassName`, deviceClassName),
    ...selectorErrors(selectors, `${path}.selectors`),
  ]
  const field = `${path}.count`
  if (allocationMode === 'All' && count !== 0)
    errors.push(invalidValue(field, count, "must not be specified when allocationMode is 'All'"))
  if (allocationMode === 'ExactCount' && count <= 0)
    errors.push(invalidValue(field, count, 'must be greater than zero'))
  return errors
}

function constraintErrors(
  { requests, matchAttribute, distinctAttribute }: Constraint,
  names: Set<string>,
  path: string,
): FieldError[] {
  const why =
    'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'
  const errors = referenceErrors(requests, names, `${path}.requests`)
  if (matchAttribute !== undefined)
    append(errors, fullyQualifiedErrors(`${path}.matchAttribute`, matchAttribute))
  if (distinctAttribute !== undefined)
    append(errors, fullyQualifiedErrors(`${path}.distinctAttribute`, distinctAttribute))
  if (matchAttribute === undefined && distinctAttribute === undefined)
    errors.push(required(path, why))
  if (matchAttribute !== undefined && distinctAttribute !== undefined)
    errors.push(invalidValue(path, undefined, why))
  return errors
}

const UNKNOWN =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"

/** Requests by name, or by their name and that of an alternative. */
function referenceErrors(
  requests: string[] | undefined,
  names: Set<string>,
  path: string,
): FieldError[] {
  return setErrors(requests, path, {
    longest: LONGEST,
    errors: (name, at) =>
      names.has(name)
        ? []
        : [
            ...name.split('/').flatMap((part) => labelNameErrors(at, part)),
            invalidValue(at, name, UNKNOWN),
          ],
    key: (name) => name,
  })
}

function repeatErrors(requests: readonly DeviceRequest[], path: string): FieldError[] {
  const known = new Set<string>()
  return errorsOfItems(requests, (request, i) => {
    const { name = '' } = request
    if (known.has(name)) return [duplicate(`${path}[${i}]`, withoutEmpties(request))]
    known.add(name)
    return []
  })
}

/** Empty lists are not printed. */
const withoutEmpties = (request: DeviceRequest): DeviceRequest =>
  Object.fromEntries(
    Object.entries(request).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  )

function choiceErrors(request: DeviceRequest, path: string): FieldError[] {
  const exact = exactPart(request)
  return [
    ...(exact ? modeErrors(exact, `${path}.exactly`) : []),
    ...errorsOfItems(request.firstAvailable, (one, i) =>
      modeErrors(one, `${path}.firstAvailable[${i}]`),
    ),
  ]
}

const modeErrors = ({ allocationMode = '' }: ExactRequest, path: string): FieldError[] =>
  MODES.includes(allocationMode)
    ? []
    : [notSupported(`${path}.allocationMode`, allocationMode, MODES)]
