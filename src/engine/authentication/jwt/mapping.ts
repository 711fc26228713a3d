/** Order and messages are those of kube-apiserver. */
import { ListValue, type Value } from '../../cel/values/value'
import { type Json, type JsonObject, setMember } from '../../core/object'
import { jsonTypeName } from '../../schema/envelope'
import { goQuote } from '../../schema/go-text'
import type { UserInfo } from '../authenticator'
import type { JwtAuthenticator, PrefixedClaimOrExpression } from './configuration'
import { type CompiledExpression, ExpressionError } from './expressions'
import { ProviderError } from './provider-keys'
import type { CompiledAuthenticator, CompiledRule } from './validate'

/** @throws ProviderError */
export function userOfClaims(
  claims: JsonObject,
  { claimMappings = {}, claimValidationRules = [] }: JwtAuthenticator,
  compiled: CompiledAuthenticator,
): UserInfo {
  const { username = {}, groups = {}, uid = {} } = claimMappings
  const user: UserInfo = {
    name: nameIn(claims, username, compiled.username),
    groups: groupsIn(claims, groups, compiled.groups),
  }
  const ownUid = uidIn(claims, uid.claim ?? '', compiled.uid)
  if (ownUid !== '') user.uid = ownUid
  const extra = extraIn(claims, compiled.extra)
  if (Object.keys(extra).length > 0) user.extra = extra
  for (const { claim = '', requiredValue = '' } of claimValidationRules)
    if (claim !== '') checkRequired(claims, claim, requiredValue)
  checkRules(compiled.claimRules, claims, 'claim validation expression')
  checkRules(compiled.userRules, shownUser(user), 'user info validation rule')
  return user
}

function nameIn(
  claims: JsonObject,
  { claim = '', prefix = '' }: PrefixedClaimOrExpression,
  expression: CompiledExpression | undefined,
): string {
  if (expression) {
    const name = evaluated(expression, claims, 'username claim expression')
    if (typeof name !== 'string')
      throw new ProviderError(
        'error evaluating username claim expression: username claim expression must return a string',
      )
    if (name === '')
      throw new ProviderError(
        'error evaluating username claim expression: username claim expression must not return an empty string',
      )
    return name
  }
  // Unlike the result of an expression, a username claim may be empty.
  const name = textOf(claims, claim, `parse username claims ${goQuote(claim)}`)
  if (claim === 'email' && Object.hasOwn(claims, 'email_verified')) {
    const verified = claims.email_verified ?? false
    if (typeof verified !== 'boolean')
      throw new ProviderError(
        `parse 'email_verified' claim: json: cannot unmarshal ${jsonTypeName(verified)} into Go value of type bool`,
      )
    if (!verified) throw new ProviderError('email not verified')
  }
  return prefix + name
}

/** A single group may be a string. A null in a list is an empty string, as in Go. */
function groupsIn(
  claims: JsonObject,
  { claim = '', prefix = '' }: PrefixedClaimOrExpression,
  expression: CompiledExpression | undefined,
): string[] {
  const what = 'group claim expression'
  if (expression)
    return textsIn(evaluated(expression, claims, what), (why) => `error evaluating ${what}: ${why}`)
  if (claim === '' || !Object.hasOwn(claims, claim)) return []
  const named = claims[claim] ?? []
  return (Array.isArray(named) ? named.map((group) => group ?? '') : [named]).map((group) => {
    if (typeof group === 'string') return prefix + group
    throw new ProviderError(
      `parse groups claim ${goQuote(claim)}: json: cannot unmarshal ${jsonTypeName(claims[claim] as Json)} into Go value of type string`,
    )
  })
}

function uidIn(
  claims: JsonObject,
  claim: string,
  expression: CompiledExpression | undefined,
): string {
  if (claim !== '') return textOf(claims, claim, `parse uid claim ${goQuote(claim)}`)
  if (expression === undefined) return ''
  const uid = evaluated(expression, claims, 'uid claim expression')
  if (typeof uid !== 'string')
    throw new ProviderError(
      'error evaluating uid claim expression: uid claim expression must return a string',
    )
  return uid
}

function extraIn(
  claims: JsonObject,
  mappings: CompiledAuthenticator['extra'],
): Record<string, string[]> {
  const extra: Record<string, string[]> = {}
  for (const { key, expression } of mappings) {
    const value = evaluated(expression, claims)
    const texts = textsIn(
      value,
      (why) => `error evaluating extra claim expression: ${expression.text}: ${why}`,
    )
    if (texts.length > 0) setMember(extra, key, texts)
  }
  return extra
}

function textOf(claims: JsonObject, claim: string, doing: string): string {
  if (!Object.hasOwn(claims, claim)) throw new ProviderError(`${doing}: claim not present`)
  const value = claims[claim] ?? ''
  if (typeof value !== 'string')
    throw new ProviderError(
      `${doing}: json: cannot unmarshal ${jsonTypeName(value)} into Go value of type string`,
    )
  return value
}

function checkRequired(claims: JsonObject, claim: string, wanted: string): void {
  if (!Object.hasOwn(claims, claim))
    throw new ProviderError(`required claim ${claim} not present in ID token`)
  const value = textOf(claims, claim, `parse claim ${claim}`)
  if (value !== wanted)
    throw new ProviderError(
      `required claim ${claim} value does not match. Got = ${value}, want = ${wanted}`,
    )
}

function checkRules(rules: readonly CompiledRule[], about: JsonObject, what: string): void {
  const results = rules.map((rule) => ({ rule, value: evaluated(rule.expression, about, what) }))
  for (const { rule, value } of results) {
    if (typeof value !== 'boolean')
      throw new ProviderError(
        `error evaluating ${what}: validation expression must return a boolean`,
      )
    if (!value)
      throw new ProviderError(
        `error evaluating ${what}: validation expression '${rule.expression.text}' failed: ${rule.message}`,
      )
  }
}

function evaluated(expression: CompiledExpression, about: JsonObject, what?: string): Value {
  try {
    return expression.evaluate(about)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    throw new ProviderError(
      what === undefined ? error.message : `error evaluating ${what}: ${error.message}`,
    )
  }
}

/** Drops empty strings. @throws ProviderError */
function textsIn(value: Value, failure: (why: string) => string): string[] {
  const values =
    value === null
      ? []
      : value instanceof ListValue
        ? Array.from({ length: value.size }, (_, i) => value.at(i))
        : [value]
  return values.flatMap((one) => {
    if (typeof one !== 'string')
      throw new ProviderError(failure('expression must return a string or a list of strings'))
    return one === '' ? [] : [one]
  })
}

const shownUser = ({ name, uid = '', groups, extra = {} }: UserInfo): JsonObject => ({
  username: name,
  uid,
  groups,
  extra,
})
