/**
 * * Validates device requests of versions after v1alpha3. Recorded from kube-apiserver 1.37; others
 * from k8s.io/kubernetes, pkg/apis/resource/validation.
 */
import type { FieldError } from '../../http/status'
import type { StrategyEngine } from '../../registry/strategy'
import { invalidValue, notSupported, required } from '../../validation/field-errors'
import { anyCaseDriverErrors } from '../../validation/volumes'
import {
  type Configuration,
  type Constraint,
  type DeviceClaim,
  type DeviceRequest,
  type ExactRequest,
  LONGEST,
  MODES,
  type Selector,
  selectorErrors,
} from './device-claim'
import { Findings } from './findings'
import { labelNameErrors, laterFullyQualifiedErrors, subdomainErrors } from './names'
import { addParameterErrors } from './opaque-parameters'
import { addTolerationErrors } from './taints'

const MOST_ALTERNATIVES = 8
const MOST_TOLERATIONS = 16
const ONE_KIND = 'exactly one of `exactly` or `firstAvailable` is required'

/** In v1beta1 the request has these members itself. */
function exactPart(request: DeviceRequest): ExactRequest | undefined {
  if (request.exactly) return request.exactly
  return request.deviceClassName || request.allocationMode ? request : undefined
}

/** With alternatives: `gpu/big`. */
export const requestNames = (requests: readonly DeviceRequest[]): Set<string> =>
  new Set(
    requests.flatMap(({ name = '', firstAvailable }) => [
      name,
      ...(firstAvailable ?? []).map((one) => `${name}/${one.name ?? ''}`),
    ]),
  )

/** Handwritten rules, then those of tags. */
export function deviceClaimErrors(
  engine: StrategyEngine,
  { requests, constraints, config }: DeviceClaim,
  path: string,
): FieldError[] {
  const list = requests ?? []
  const names = requestNames(list)
  const findings = new Findings(engine)
  findings.addList(list, `${path}.requests`, {
    longest: LONGEST,
    item: (request, at) => addRequest(findings, request, at),
    key: ({ name = '' }) => name,
    shown: withoutEmpties,
    isTagged: true,
  })
  findings.addList(constraints, `${path}.constraints`, {
    longest: LONGEST,
    item: (constraint, at) => addConstraint(findings, constraint, names, at),
    isTagged: true,
  })
  findings.addList(config, `${path}.config`, {
    longest: LONGEST,
    item(one, at) {
      addReferences(findings, one.requests, names, `${at}.requests`)
      addConfiguration(findings, one, at)
    },
    isTagged: true,
  })
  return findings.all
}

function addRequest(findings: Findings, request: DeviceRequest, path: string): void {
  const { name = '', firstAvailable } = request
  const exact = exactPart(request)
  const alternatives = firstAvailable?.length ? firstAvailable : undefined
  findings.add(...labelNameErrors(`${path}.name`, name))
  if (exact && alternatives)
    findings.add(invalidValue(path, undefined, `${ONE_KIND}, but multiple fields are set`))
  else if (exact) {
    const field = `${path}.exactly`
    findings.add(...subdomainErrors(`${field}.deviceClassName`, exact.deviceClassName ?? ''))
    addExact(findings, exact, field)
  } else if (!alternatives) findings.add(required(path, ONE_KIND))
  else
    findings.addList(alternatives, `${path}.firstAvailable`, {
      longest: MOST_ALTERNATIVES,
      item(one, field) {
        findings.add(...labelNameErrors(`${field}.name`, one.name ?? ''))
        findings.addTagged(
          ...subdomainErrors(`${field}.deviceClassName`, one.deviceClassName ?? ''),
        )
        addExact(findings, one, field)
      },
      key: (one) => one.name ?? '',
      shown: withoutEmpties,
      isTagged: true,
    })
}

function addExact(findings: Findings, request: ExactRequest, path: string): void {
  const { selectors, allocationMode = '', count = 0, tolerations } = request
  addSelectors(findings, selectors, `${path}.selectors`)
  const [mode, field] = [`${path}.allocationMode`, `${path}.count`]
  if (allocationMode === 'All' && count !== 0)
    findings.add(invalidValue(field, count, "must not be specified when allocationMode is 'All'"))
  if (allocationMode === 'ExactCount' && count <= 0)
    findings.add(invalidValue(field, count, 'must be greater than zero'))
  if (!MODES.includes(allocationMode)) findings.addTagged(notSupported(mode, allocationMode, MODES))
  findings.addList(tolerations, `${path}.tolerations`, {
    longest: MOST_TOLERATIONS,
    item: (toleration, at) => addTolerationErrors(findings, toleration, at),
    isTagged: true,
  })
}

export function addSelectors(
  findings: Findings,
  selectors: Selector[] | undefined,
  path: string,
): void {
  findings.addList(selectors, path, { longest: LONGEST, isTagged: true })
  if ((selectors?.length ?? 0) <= LONGEST) findings.add(...selectorErrors(selectors, path))
}

const ONE_ATTRIBUTE =
  'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'

function addConstraint(
  findings: Findings,
  { requests, matchAttribute, distinctAttribute }: Constraint,
  names: Set<string>,
  path: string,
): void {
  addReferences(findings, requests, names, `${path}.requests`)
  if (matchAttribute !== undefined)
    findings.addTagged(...laterFullyQualifiedErrors(`${path}.matchAttribute`, matchAttribute))
  else if (distinctAttribute !== undefined)
    findings.addTagged(...laterFullyQualifiedErrors(`${path}.distinctAttribute`, distinctAttribute))
  else
    findings.add(
      findings.featureGates.DRAConsumableCapacity
        ? required(path, ONE_ATTRIBUTE)
        : required(`${path}.matchAttribute`),
    )
}

export function addConfiguration(
  findings: Findings,
  { opaque }: Configuration,
  path: string,
): void {
  const field = `${path}.opaque`
  if (!opaque) {
    findings.add(required(field))
    return
  }
  findings.addTagged(...anyCaseDriverErrors(`${field}.driver`, opaque.driver))
  addParameterErrors(findings, opaque.parameters, `${field}.parameters`)
}

const UNKNOWN =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"

/** `request`, or `request/alternative`. */
export function referenceErrors(name: string, names: Set<string>, field: string): FieldError[] {
  const parts = name.split('/')
  const unknown = invalidValue(field, name, UNKNOWN)
  if (parts.length > 2) return [unknown]
  return [
    ...parts.flatMap((part) => labelNameErrors(field, part)),
    ...(names.has(name) ? [] : [unknown]),
  ]
}

export function addReferences(
  findings: Findings,
  requests: string[] | undefined,
  names: Set<string>,
  path: string,
): void {
  findings.addList(requests, path, {
    longest: LONGEST,
    item: (name, at) => findings.add(...referenceErrors(name, names, at)),
    key: (name) => name,
    isTagged: true,
  })
}

const withoutEmpties = <Request extends DeviceRequest>(request: Request): object =>
  Object.fromEntries(
    Object.entries(request).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  )
