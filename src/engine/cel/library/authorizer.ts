/**
 * `authorizer`: whether the user of a request, or a service account, may do something. The answers come from outside: whoever
 * gives an expression its authorizer says how they are found.
 */

import { readType, type Type } from '../types/type'
import { EvaluationError, OpaqueValue, type Value } from '../values/value'
import type { Library } from './library'

export interface AccessQuery {
  /** Instead of the user of the request. */
  serviceAccount?: { namespace: string; name: string }
  /** Of a request that is not for a resource; the rest is then empty. */
  path?: string
  group: string
  resource: string
  subresource: string
  namespace: string
  name: string
  verb: string
}

export interface AccessAnswer {
  allowed: boolean
  reason: string
  error?: string
}

/** @throws whatever ends the evaluation, for answers that must be waited for */
export type Decide = (query: AccessQuery) => AccessAnswer

const PREFIX = 'kubernetes.authorization.'
export const AUTHORIZER: Type = readType(`${PREFIX}Authorizer`)
export const RESOURCE_CHECK: Type = readType(`${PREFIX}ResourceCheck`)

class AuthorizerValue extends OpaqueValue {
  readonly typeName = `${PREFIX}Authorizer`

  constructor(
    readonly decide: Decide,
    readonly serviceAccount?: { namespace: string; name: string },
  ) {
    super()
  }
}

class GroupCheckValue extends OpaqueValue {
  readonly typeName = `${PREFIX}GroupCheck`

  constructor(
    readonly authorizer: AuthorizerValue,
    readonly group: string,
  ) {
    super()
  }
}

class PathCheckValue extends OpaqueValue {
  readonly typeName = `${PREFIX}PathCheck`

  constructor(
    readonly authorizer: AuthorizerValue,
    readonly path: string,
  ) {
    super()
  }
}

type ResourceQuery = Pick<AccessQuery, 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>

class ResourceCheckValue extends OpaqueValue {
  readonly typeName = `${PREFIX}ResourceCheck`

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

class DecisionValue extends OpaqueValue {
  readonly typeName = `${PREFIX}Decision`

  constructor(readonly answer: AccessAnswer) {
    super()
  }
}

/** The value of `authorizer`. */
export const authorizerValue = (decide: Decide): Value => new AuthorizerValue(decide)

/** The value of `authorizer.requestResource`. */
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

function ask(authorizer: AuthorizerValue, query: Omit<AccessQuery, 'serviceAccount'>): Value {
  const { decide, serviceAccount: account } = authorizer
  return new DecisionValue(
    decide(account === undefined ? query : { ...query, serviceAccount: account }),
  )
}

const NO_RESOURCE = { group: '', resource: '', subresource: '', namespace: '', name: '' }

/** A check is what it costs to ask all modes. */
const CHECK = 350_000
const asks = {
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
          ask(authorizer, { ...NO_RESOURCE, path, verb }),
        ...asks,
      },
      {
        signature: `${R}.check(string) -> ${D}`,
        call: ({ authorizer, query }: ResourceCheckValue, verb: string) =>
          ask(authorizer, { ...query, verb }),
        ...asks,
      },
      {
        signature: `${D}.errored() -> bool`,
        call: ({ answer }: DecisionValue) => answer.error !== undefined,
      },
      {
        signature: `${D}.error() -> string`,
        call: ({ answer }: DecisionValue) => answer.error ?? '',
      },
      { signature: `${D}.allowed() -> bool`, call: ({ answer }: DecisionValue) => answer.allowed },
      { signature: `${D}.reason() -> string`, call: ({ answer }: DecisionValue) => answer.reason },
    ]
  },
}
