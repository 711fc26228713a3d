/** `authorizer` checks the access of a request's user or a service account. */

import { traversal, traversesSecond } from '../cost/factors'
import { readType, type Type } from '../types/type'
import { NO_SUCH_OVERLOAD } from '../values/equality'
import { EvaluationError, OpaqueValue, type Value } from '../values/value'
import type { Library } from './library'

export interface AccessQuery {
  /** Replaces the request's user. */
  serviceAccount?: { namespace: string; name: string }
  /** Of a non-resource request. */
  path?: string
  group: string
  resource: string
  subresource: string
  namespace: string
  name: string
  verb: string
  fieldSelector?: string
  labelSelector?: string
}

export interface AccessDecision {
  allowed: boolean
  reason: string
  error?: string
}

/** May throw to end the evaluation until a decision arrives. */
export type Decide = (query: AccessQuery) => AccessDecision

const PREFIX = 'kubernetes.authorization.'
export const AUTHORIZER: Type = readType(`${PREFIX}Authorizer`)
export const RESOURCE_CHECK: Type = readType(`${PREFIX}ResourceCheck`)

/** Never equal, not even to themselves. */
abstract class AccessValue extends OpaqueValue {
  override get opened(): Value {
    return NO_SUCH_OVERLOAD
  }
}

class AuthorizerValue extends AccessValue {
  readonly typeName = `${PREFIX}Authorizer`
  readonly goType = 'library.authorizerVal'

  constructor(
    readonly decide: Decide,
    readonly serviceAccount?: { namespace: string; name: string },
  ) {
    super()
  }
}

class GroupCheckValue extends AccessValue {
  readonly typeName = `${PREFIX}GroupCheck`
  readonly goType = 'library.groupCheckVal'

  constructor(
    readonly authorizer: AuthorizerValue,
    readonly group: string,
  ) {
    super()
  }
}

class PathCheckValue extends AccessValue {
  readonly typeName = `${PREFIX}PathCheck`
  readonly goType = 'library.pathCheckVal'

  constructor(
    readonly authorizer: AuthorizerValue,
    readonly path: string,
  ) {
    super()
  }
}

type ResourceQuery = Omit<AccessQuery, 'serviceAccount' | 'path' | 'verb'>

class ResourceCheckValue extends AccessValue {
  readonly typeName = `${PREFIX}ResourceCheck`
  readonly goType = 'library.resourceCheckVal'

  constructor(
    readonly authorizer: AuthorizerValue,
    readonly query: ResourceQuery,
  ) {
    super()
  }

  with(members: Partial<ResourceQuery>): ResourceCheckValue {
    return new ResourceCheckValue(this.authorizer, { ...this.query, ...members })
  }
}

class DecisionValue extends AccessValue {
  readonly typeName = `${PREFIX}Decision`
  readonly goType = 'library.decisionVal'

  constructor(readonly decision: AccessDecision) {
    super()
  }
}

export const authorizerValue = (decide: Decide): Value => new AuthorizerValue(decide)

export const requestResourceValue = (decide: Decide, query: ResourceQuery): Value =>
  new ResourceCheckValue(new AuthorizerValue(decide), query)

const isLabel = (text: string): boolean =>
  text.length <= 63 && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(text)
const isSubdomain = (text: string): boolean =>
  text.length <= 253 &&
  /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/.test(text)

function serviceAccount({ decide }: AuthorizerValue, namespace: string, name: string): Value {
  if (!isSubdomain(name)) return new EvaluationError('Invalid service account name')
  if (!isLabel(namespace)) return new EvaluationError('Invalid service account namespace')
  return new AuthorizerValue(decide, { namespace, name })
}

function check(authorizer: AuthorizerValue, query: Omit<AccessQuery, 'serviceAccount'>): Value {
  const { decide, serviceAccount: account } = authorizer
  return new DecisionValue(
    decide(account === undefined ? query : { ...query, serviceAccount: account }),
  )
}

const NO_RESOURCE = { group: '', resource: '', subresource: '', namespace: '', name: '' }

/** kube-apiserver's cost with every authorization mode. */
const CHECK = 350_000
const checkCost = {
  strictCost: true as const,
  cost: () => CHECK,
  estimate: () => ({ cost: { min: CHECK, max: CHECK } }),
}

const A = `${PREFIX}Authorizer`
const P = `${PREFIX}PathCheck`
const G = `${PREFIX}GroupCheck`
const R = `${PREFIX}ResourceCheck`
const D = `${PREFIX}Decision`

export const AUTHORIZERS: Library = {
  get functions() {
    return [
      {
        signature: `${A}.path(string) -> ${P}`,
        call: (authorizer: AuthorizerValue, path: string) =>
          path === ''
            ? new EvaluationError('path must not be empty')
            : new PathCheckValue(authorizer, path),
      },
      {
        signature: `${A}.group(string) -> ${G}`,
        call: (authorizer: AuthorizerValue, group: string) =>
          new GroupCheckValue(authorizer, group),
      },
      { signature: `${A}.serviceAccount(string, string) -> ${A}`, call: serviceAccount },
      {
        signature: `${G}.resource(string) -> ${R}`,
        call: ({ authorizer, group }: GroupCheckValue, resource: string) =>
          resource === ''
            ? new EvaluationError('resource must not be empty')
            : new ResourceCheckValue(authorizer, { ...NO_RESOURCE, group, resource }),
      },
      {
        signature: `${R}.subresource(string) -> ${R}`,
        call: (check: ResourceCheckValue, subresource: string) => check.with({ subresource }),
      },
      {
        signature: `${R}.namespace(string) -> ${R}`,
        call: (check: ResourceCheckValue, namespace: string) => check.with({ namespace }),
      },
      {
        signature: `${R}.name(string) -> ${R}`,
        call: (check: ResourceCheckValue, name: string) => check.with({ name }),
      },
      {
        signature: `${P}.check(string) -> ${D}`,
        call: ({ authorizer, path }: PathCheckValue, verb: string) =>
          check(authorizer, { ...NO_RESOURCE, path, verb }),
        ...checkCost,
      },
      {
        signature: `${R}.check(string) -> ${D}`,
        call: ({ authorizer, query }: ResourceCheckValue, verb: string) =>
          check(authorizer, { ...query, verb }),
        ...checkCost,
      },
      {
        signature: `${D}.errored() -> bool`,
        call: ({ decision }: DecisionValue) => decision.error !== undefined,
      },
      {
        signature: `${D}.error() -> string`,
        call: ({ decision }: DecisionValue) => decision.error ?? '',
      },
      {
        signature: `${D}.allowed() -> bool`,
        call: ({ decision }: DecisionValue) => decision.allowed,
      },
      {
        signature: `${D}.reason() -> string`,
        call: ({ decision }: DecisionValue) => decision.reason,
      },
    ]
  },
}

const readsSelector = {
  ...traversesSecond,
  strictCost: true as const,
  cost: (_check: Value, selector: Value): number => traversal(selector),
}

export const AUTHORIZER_SELECTORS: Library = {
  get functions() {
    return [
      {
        signature: `${R}.fieldSelector(string) -> ${R}`,
        call: (check: ResourceCheckValue, fieldSelector: string) => check.with({ fieldSelector }),
        ...readsSelector,
      },
      {
        signature: `${R}.labelSelector(string) -> ${R}`,
        call: (check: ResourceCheckValue, labelSelector: string) => check.with({ labelSelector }),
        ...readsSelector,
      },
    ]
  },
}
