/**
 * Validates the JWT authenticators of an AuthenticationConfiguration. k8s.io/apiserver, package
 * pkg/apis/apiserver/validation.
 */

import { append } from '../../core/lists'
import type { FieldError } from '../../http/status'
import { goTrimRight } from '../../schema/go-text'
import { urlProblem } from '../../schema/go-url'
import { repeatsIn } from '../../schema/repeats'
import {
  duplicate,
  forbiddenField,
  invalidValue,
  required,
  tooMany,
} from '../../validation/field-errors'
import { domainPathErrors } from '../../validation/hosts'
import { readCertificates } from '../certificates/x509'
import type {
  AuthenticationConfiguration,
  ClaimMappings,
  ClaimValidationRule,
  Issuer,
  JwtAuthenticator,
  PrefixedClaimOrExpression,
} from './configuration'
import { type CompiledExpression, compileExpression } from './expressions'

const MOST_AUTHENTICATORS = 64
const MATCH_ANY = 'MatchAny'
const BOTH = "claim and expression can't both be set"
const NO_PREFIX =
  'prefix is required when claim is set. It can be set to an empty string to disable prefixing'
const NEEDS_VERIFIED =
  'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression'

export interface CompiledRule {
  expression: CompiledExpression
  message: string
}

export interface CompiledAuthenticator {
  claimRules: CompiledRule[]
  userRules: CompiledRule[]
  username?: CompiledExpression
  groups?: CompiledExpression
  uid?: CompiledExpression
  extra: { key: string; expression: CompiledExpression }[]
}

export interface Rules {
  /** Issuers of service account tokens. */
  disallowedIssuers: readonly string[]
  /** Feature gate AnonymousAuthConfigurableEndpoints. */
  anonymousConditions: boolean
}

export function checkConfiguration(
  { jwt = [], anonymous }: AuthenticationConfiguration,
  rules: Rules,
): { compiled: CompiledAuthenticator[]; errors: FieldError[] } {
  if (jwt.length > MOST_AUTHENTICATORS)
    return { compiled: [], errors: [tooMany('jwt', jwt.length, MOST_AUTHENTICATORS)] }
  const errors: FieldError[] = []
  const urls = new Set<string>()
  const discoveryUrls = new Set<string>()
  const compiled = jwt.map((one, i) => {
    const path = `jwt[${i}]`
    const found = new AuthenticatorCheck(one, path).run(rules.disallowedIssuers)
    append(errors, found.errors)
    const { url = '', discoveryURL = '' } = one.issuer ?? {}
    if (urls.has(url)) errors.push(duplicate(`${path}.issuer.url`, url))
    urls.add(url)
    if (discoveryURL !== '' && discoveryUrls.has(discoveryURL))
      errors.push(duplicate(`${path}.issuer.discoveryURL`, discoveryURL))
    discoveryUrls.add(discoveryURL)
    return found.compiled
  })
  if (anonymous) {
    const { enabled = false, conditions = [] } = anonymous
    if (!rules.anonymousConditions)
      errors.push(
        forbiddenField(
          'anonymous',
          'anonymous is not supported when AnonymousAuthConfigurableEndpoints feature gate is disabled',
        ),
      )
    if (!enabled && conditions.length > 0)
      errors.push(
        invalidValue(
          'anonymous.conditions',
          conditions,
          'enabled should be set to true when conditions are defined',
        ),
      )
  }
  return { compiled, errors }
}

class AuthenticatorCheck {
  private readonly errors: FieldError[] = []
  private readonly compiled: CompiledAuthenticator = { claimRules: [], userRules: [], extra: [] }

  constructor(
    private readonly authenticator: JwtAuthenticator,
    private readonly path: string,
  ) {}

  run(disallowedIssuers: readonly string[]): {
    compiled: CompiledAuthenticator
    errors: FieldError[]
  } {
    const {
      issuer = {},
      claimValidationRules = [],
      claimMappings = {},
      userValidationRules = [],
    } = this.authenticator
    append(this.errors, issuerErrors(issuer, `${this.path}.issuer`, disallowedIssuers))
    this.claimRules(claimValidationRules, `${this.path}.claimValidationRules`)
    this.mappings(claimMappings, `${this.path}.claimMappings`)
    this.userRules(userValidationRules, `${this.path}.userValidationRules`)
    return { compiled: this.compiled, errors: this.errors }
  }

  private claimRules(rules: readonly ClaimValidationRule[], path: string): void {
    const claims = new Set<string>()
    const expressions = new Set<string>()
    rules.forEach(({ claim = '', requiredValue = '', expression = '', message = '' }, i) => {
      const at = `${path}[${i}]`
      if (claim !== '' && expression !== '') this.errors.push(invalidValue(at, claim, BOTH))
      else if (claim === '' && expression === '')
        this.errors.push(required(at, 'claim or expression is required'))
      else if (claim !== '') {
        if (message !== '')
          this.errors.push(
            invalidValue(`${at}.message`, message, "message can't be set when claim is set"),
          )
        if (claims.has(claim)) this.errors.push(duplicate(`${at}.claim`, claim))
        claims.add(claim)
      } else {
        if (requiredValue !== '')
          this.errors.push(
            invalidValue(
              `${at}.requiredValue`,
              requiredValue,
              "requiredValue can't be set when expression is set",
            ),
          )
        const compiled = this.rule(expression, 'claims', `${at}.expression`, expressions)
        if (compiled) this.compiled.claimRules.push({ expression: compiled, message })
      }
    })
  }

  private userRules(
    rules: readonly { expression?: string; message?: string }[],
    path: string,
  ): void {
    const expressions = new Set<string>()
    rules.forEach(({ expression = '', message = '' }, i) => {
      const at = `${path}[${i}].expression`
      if (expression === '') {
        this.errors.push(required(at, 'expression is required'))
        return
      }
      const compiled = this.rule(expression, 'user', at, expressions)
      if (compiled) this.compiled.userRules.push({ expression: compiled, message })
    })
  }

  /** Rejects a duplicate rule. */
  private rule(
    text: string,
    about: 'claims' | 'user',
    at: string,
    seen: Set<string>,
  ): CompiledExpression | undefined {
    if (seen.has(text)) {
      this.errors.push(duplicate(at, text))
      return undefined
    }
    seen.add(text)
    return this.expression(text, about, at, 'bool')
  }

  private expression(
    text: string,
    about: 'claims' | 'user',
    at: string,
    wanted?: 'bool',
  ): CompiledExpression | undefined {
    const compiled = compileExpression(text, about, at, wanted)
    if (!('reason' in compiled)) return compiled
    this.errors.push(compiled)
    return undefined
  }

  private mappings(
    { username = {}, groups = {}, uid = {}, extra = [] }: ClaimMappings,
    path: string,
  ): void {
    const { compiled } = this
    Object.assign(compiled, this.mapping('username', username, `${path}.username`, true))
    Object.assign(compiled, this.mapping('groups', groups, `${path}.groups`, false))
    if (uid.claim && uid.expression) this.errors.push(invalidValue(`${path}.uid`, '', BOTH))
    else if (uid.expression) {
      const expression = this.expression(uid.expression, 'claims', `${path}.uid.expression`)
      if (expression) compiled.uid = expression
    }
    this.extra(extra, `${path}.extra`)
    const verifying = [
      compiled.username,
      ...compiled.claimRules.map((rule) => rule.expression),
      ...compiled.extra.map((one) => one.expression),
    ]
    if (compiled.username?.reads('email') && !verifying.some((one) => one?.reads('email_verified')))
      this.errors.push(
        invalidValue(`${path}.username.expression`, username.expression, NEEDS_VERIFIED),
      )
  }

  private mapping<Name extends string>(
    name: Name,
    { claim = '', expression = '', prefix }: PrefixedClaimOrExpression,
    path: string,
    needed: boolean,
  ): Partial<Record<Name, CompiledExpression>> {
    if (expression !== '' && claim !== '') this.errors.push(invalidValue(path, '', BOTH))
    else if (expression === '' && claim === '') {
      if (needed) this.errors.push(required(path, 'claim or expression is required'))
    } else if (claim !== '') {
      if (prefix === undefined) this.errors.push(required(`${path}.prefix`, NO_PREFIX))
    } else {
      if (prefix !== undefined)
        this.errors.push(
          invalidValue(`${path}.prefix`, prefix, "prefix can't be set when expression is set"),
        )
      const compiled = this.expression(expression, 'claims', `${path}.expression`)
      if (compiled) return { [name]: compiled } as Record<Name, CompiledExpression>
    }
    return {}
  }

  private extra(
    mappings: readonly { key?: string; valueExpression?: string }[],
    path: string,
  ): void {
    const seen = new Set<string>()
    mappings.forEach(({ key = '', valueExpression = '' }, i) => {
      const at = `${path}[${i}]`
      append(this.errors, domainPathErrors(`${at}.key`, key))
      if (key !== key.toLowerCase())
        this.errors.push(invalidValue(`${at}.key`, key, 'key must be lowercase'))
      if (isReserved(key))
        this.errors.push(
          invalidValue(
            `${at}.key`,
            key,
            'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use',
          ),
        )
      if (seen.has(key)) {
        this.errors.push(duplicate(`${at}.key`, key))
        return
      }
      seen.add(key)
      if (valueExpression === '') {
        this.errors.push(required(`${at}.valueExpression`, 'valueExpression is required'))
        return
      }
      const expression = this.expression(valueExpression, 'claims', `${at}.valueExpression`)
      if (expression) this.compiled.extra.push({ key, expression })
    })
  }
}

function isReserved(key: string): boolean {
  const domain = key.includes('/') ? (key.split('/')[0] ?? '') : ''
  return ['kubernetes.io', 'k8s.io'].some(
    (reserved) => domain === reserved || domain.endsWith(`.${reserved}`),
  )
}

function issuerErrors(issuer: Issuer, path: string, disallowed: readonly string[]): FieldError[] {
  const { url = '', discoveryURL = '', certificateAuthority = '' } = issuer
  const errors =
    url === ''
      ? [required(`${path}.url`, 'URL is required')]
      : urlErrors(url, `${path}.url`, disallowed)
  if (discoveryURL !== '') {
    const at = `${path}.discoveryURL`
    if (url !== '' && withoutSlashes(url) === withoutSlashes(discoveryURL))
      errors.push(invalidValue(at, discoveryURL, 'discoveryURL must be different from URL'))
    append(errors, urlErrors(discoveryURL, at, []))
  }
  append(errors, audienceErrors(issuer, path))
  const problem =
    certificateAuthority === '' ? undefined : certificatesProblem(certificateAuthority)
  if (problem !== undefined)
    errors.push(invalidValue(`${path}.certificateAuthority`, '<omitted>', problem))
  return errors
}

const withoutSlashes = (url: string): string => goTrimRight(url, '/')

function urlErrors(text: string, path: string, disallowed: readonly string[]): FieldError[] {
  const wrong = (why: string) => invalidValue(path, text, why)
  const errors: FieldError[] = []
  if (disallowed.includes(text))
    errors.push(
      wrong(`URL must not overlap with disallowed issuers: [${[...disallowed].sort().join(' ')}]`),
    )
  const problem = urlProblem(text)
  if (problem !== undefined) return [...errors, wrong(problem)]
  const [, scheme = '', rest = ''] = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(.*)$/s.exec(text) ?? []
  const [beforeFragment = '', fragment = ''] = rest.split(/#(.*)/s)
  const [location = '', query = ''] = beforeFragment.split(/\?(.*)/s)
  if (scheme.toLowerCase() !== 'https') errors.push(wrong('URL scheme must be https'))
  if (location.startsWith('//') && /^[^/]*@/.test(location.slice(2)))
    errors.push(wrong('URL must not contain a username or password'))
  if (query !== '') errors.push(wrong('URL must not contain a query'))
  if (fragment !== '') errors.push(wrong('URL must not contain a fragment'))
  return errors
}

function audienceErrors(
  { audiences = [], audienceMatchPolicy = '' }: Issuer,
  path: string,
): FieldError[] {
  const at = `${path}.audiences`
  if (audiences.length === 0) return [required(at, `at least one ${at} is required`)]
  const errors: FieldError[] = []
  const isRepeat = repeatsIn(audiences)
  audiences.forEach((audience, i) => {
    if (audience === '') errors.push(required(`${at}[${i}]`, "audience can't be empty"))
    if (isRepeat(i)) errors.push(duplicate(`${at}[${i}]`, audience))
  })
  const wrong = (why: string) =>
    errors.push(invalidValue(`${path}.audienceMatchPolicy`, audienceMatchPolicy, why))
  if (audiences.length > 1 && audienceMatchPolicy !== MATCH_ANY)
    wrong('audienceMatchPolicy must be MatchAny for multiple audiences')
  if (audiences.length === 1 && audienceMatchPolicy !== '' && audienceMatchPolicy !== MATCH_ANY)
    wrong('audienceMatchPolicy must be empty or MatchAny for single audience')
  return errors
}

function certificatesProblem(pem: string): string | undefined {
  try {
    readCertificates(pem)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
