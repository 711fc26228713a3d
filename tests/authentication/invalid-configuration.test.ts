import { describe, expect, it } from 'vitest'
import { selfSignedCertificate } from '../../src/hosts/node/certificate'
import {
  configurationFile,
  FLAGS,
  ISSUER,
  type ProviderSettings,
  provider,
  START,
} from './jwt-provider'

const FILE = '/authentication.yaml'
const MINIMAL = {
  issuer: { url: ISSUER, audiences: ['kubetab'] },
  claimMappings: { username: { claim: 'sub', prefix: '' } },
}

const byFile = (authenticator: object, settings: ProviderSettings = {}, more: object = {}) =>
  provider(
    { authenticationConfig: FILE },
    { ...settings, files: { [FILE]: configurationFile(authenticator, more) } },
  )

const byText = (text: string) =>
  provider({ authenticationConfig: FILE }, { files: { [FILE]: text } })

describe('an invalid AuthenticationConfiguration stops the start', () => {
  const invalid = 'invalid authentication configuration: '
  const withMapping = (claimMappings: object) => ({
    ...MINIMAL,
    claimMappings: { ...MINIMAL.claimMappings, ...claimMappings },
  })
  const withIssuer = (issuer: object) => ({ ...MINIMAL, issuer: { ...MINIMAL.issuer, ...issuer } })
  const withRule = (...claimValidationRules: object[]) => ({ ...MINIMAL, claimValidationRules })
  const both = "claim and expression can't both be set"

  it.each<[string, object, string]>([
    [
      'without an issuer',
      withIssuer({ url: '' }),
      'jwt[0].issuer.url: Required value: URL is required',
    ],
    [
      'of a URL with an odd port',
      withIssuer({ url: 'https://a.example.com:x' }),
      'jwt[0].issuer.url: Invalid value: "https://a.example.com:x": parse "https://a.example.com:x": invalid port ":x" after host',
    ],
    [
      'of a URL with a user',
      withIssuer({ url: 'https://me:x@a.example.com' }),
      'jwt[0].issuer.url: Invalid value: "https://me:x@a.example.com": URL must not contain a username or password',
    ],
    [
      'of a URL with a query',
      withIssuer({ url: 'https://a.example.com?x' }),
      'jwt[0].issuer.url: Invalid value: "https://a.example.com?x": URL must not contain a query',
    ],
    [
      'of a URL with a fragment',
      withIssuer({ url: 'https://a.example.com#x' }),
      'jwt[0].issuer.url: Invalid value: "https://a.example.com#x": URL must not contain a fragment',
    ],
    [
      'whose discovery is the issuer',
      withIssuer({ discoveryURL: `${ISSUER}/` }),
      `jwt[0].issuer.discoveryURL: Invalid value: "${ISSUER}/": discoveryURL must be different from URL`,
    ],
    [
      'without an audience',
      withIssuer({ audiences: [] }),
      'jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required',
    ],
    [
      'for one without a name',
      withIssuer({ audiences: [''] }),
      "jwt[0].issuer.audiences[0]: Required value: audience can't be empty",
    ],
    [
      'with several audiences and no match policy',
      withIssuer({ audiences: ['a', 'b'] }),
      'jwt[0].issuer.audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be MatchAny for multiple audiences',
    ],
    [
      'for one that matches in another way',
      withIssuer({ audienceMatchPolicy: 'All' }),
      'jwt[0].issuer.audienceMatchPolicy: Invalid value: "All": audienceMatchPolicy must be empty or MatchAny for single audience',
    ],
    [
      'with authorities that are none',
      withIssuer({ certificateAuthority: 'x' }),
      'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": data does not contain any valid RSA or ECDSA certificates',
    ],
    [
      'with a rule of nothing',
      withRule({}),
      'jwt[0].claimValidationRules[0]: Required value: claim or expression is required',
    ],
    [
      'with a rule of both',
      withRule({ claim: 'a', expression: 'true' }),
      `jwt[0].claimValidationRules[0]: Invalid value: "a": ${both}`,
    ],
    [
      'with a message for a claim',
      withRule({ claim: 'a', message: 'm' }),
      `jwt[0].claimValidationRules[0].message: Invalid value: "m": message can't be set when claim is set`,
    ],
    [
      'with a value for an expression',
      withRule({ expression: 'true', requiredValue: 'v' }),
      `jwt[0].claimValidationRules[0].requiredValue: Invalid value: "v": requiredValue can't be set when expression is set`,
    ],
    [
      'with the same claim twice',
      withRule({ claim: 'a' }, { claim: 'a' }),
      'jwt[0].claimValidationRules[1].claim: Duplicate value: "a"',
    ],
    [
      'with the same expression twice',
      withRule({ expression: 'true' }, { expression: 'true' }),
      'jwt[0].claimValidationRules[1].expression: Duplicate value: "true"',
    ],
    [
      'with a rule whose result is not a boolean',
      withRule({ expression: 'claims.a' }),
      'jwt[0].claimValidationRules[0].expression: Invalid value: "claims.a": must evaluate to bool',
    ],
    [
      'with an expression that is none',
      withRule({ expression: 'missing' }),
      "jwt[0].claimValidationRules[0].expression: Invalid value: \"missing\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'missing' (in container '')",
    ],
    [
      'with a comprehension over a claim of unknown type',
      withMapping({
        username: { claim: 'sub', prefix: '' },
        groups: { expression: "claims.groups.map(g, 'x:' + g)" },
      }),
      "jwt[0].claimMappings.groups.expression: Invalid value: \"claims.groups.map(g, 'x:' + g)\": compilation failed: ERROR: <input>:1:7: expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)",
    ],
    [
      'that writes out a claim of any type',
      withMapping({ username: { expression: "'%s'.format([claims.a])" } }),
      'jwt[0].claimMappings.username.expression: Invalid value: "\'%s\'.format([claims.a])": compilation failed: ERROR: <input>:1:20: error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given google.protobuf.Any',
    ],
    [
      'without a user',
      withMapping({ username: {} }),
      'jwt[0].claimMappings.username: Required value: claim or expression is required',
    ],
    [
      'with a user of both',
      withMapping({ username: { claim: 'a', expression: 'b' } }),
      `jwt[0].claimMappings.username: Invalid value: "": ${both}`,
    ],
    [
      'without a prefix',
      withMapping({ username: { claim: 'a' } }),
      'jwt[0].claimMappings.username.prefix: Required value: prefix is required when claim is set. It can be set to an empty string to disable prefixing',
    ],
    [
      'with a prefix of an expression',
      withMapping({ username: { expression: "'a'", prefix: '' } }),
      `jwt[0].claimMappings.username.prefix: Invalid value: "": prefix can't be set when expression is set`,
    ],
    [
      'with a uid of both',
      withMapping({ uid: { claim: 'a', expression: 'b' } }),
      `jwt[0].claimMappings.uid: Invalid value: "": ${both}`,
    ],
    [
      'with a key without domain',
      withMapping({ extra: [{ key: 'a', valueExpression: "''" }] }),
      'jwt[0].claimMappings.extra[0].key: Invalid value: "a": must be a domain-prefixed path (such as "acme.io/foo")',
    ],
    [
      'with a reserved key',
      withMapping({ extra: [{ key: 'x.k8s.io/a', valueExpression: "''" }] }),
      'jwt[0].claimMappings.extra[0].key: Invalid value: "x.k8s.io/a": k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use',
    ],
    [
      'with a key of capitals',
      withMapping({ extra: [{ key: 'a.b/C', valueExpression: "''" }] }),
      'jwt[0].claimMappings.extra[0].key: Invalid value: "a.b/C": key must be lowercase',
    ],
    [
      'with a key without value',
      withMapping({ extra: [{ key: 'a.b/c' }] }),
      'jwt[0].claimMappings.extra[0].valueExpression: Required value: valueExpression is required',
    ],
    [
      'with an unverified email address',
      withMapping({ username: { expression: 'claims.email' } }),
      'jwt[0].claimMappings.username.expression: Invalid value: "claims.email": claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression',
    ],
    [
      'with a user rule of nothing',
      { ...MINIMAL, userValidationRules: [{}] },
      'jwt[0].userValidationRules[0].expression: Required value: expression is required',
    ],
    [
      'with a user rule about claims',
      { ...MINIMAL, userValidationRules: [{ expression: 'claims.a == 1' }] },
      "undeclared reference to 'claims'",
    ],
  ])('%s', (_, authenticator, message) => {
    expect(() => byFile(authenticator)).toThrow(message)
    expect(() => byFile(authenticator)).toThrow(invalid)
  })

  it.each([
    ["claims.?email_verified.orValue(true) ? claims.email : ''"],
    ["has(claims.email_verified) && claims.email_verified ? claims.email : ''"],
  ])('accepts a check of email_verified: %s', async (expression) => {
    const { userWith } = byFile(withMapping({ username: { expression } }))
    expect(await userWith({ email: 'jane@example.com', email_verified: true })).toMatchObject({
      name: 'jane@example.com',
    })
    expect(await userWith({ email: 'jane@example.com', email_verified: false })).toHaveProperty(
      'errors',
    )
  })

  it('with duplicate issuers, or too many of them', () => {
    expect(() => byFile(MINIMAL, {}, { jwt: [MINIMAL, MINIMAL] })).toThrow(
      `${invalid}jwt[1].issuer.url: Duplicate value: "${ISSUER}"`,
    )
    const many = Array.from({ length: 65 }, () => MINIMAL)
    expect(() => byFile(MINIMAL, {}, { jwt: many })).toThrow(
      `${invalid}jwt: Too many: 65: must have at most 64 items`,
    )
  })

  it('with several errors, and reports all of them', () => {
    expect(() => byFile({ issuer: { url: ISSUER } })).toThrow(
      `${invalid}[jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required, jwt[0].claimMappings.username: Required value: claim or expression is required]`,
    )
  })

  it.each([
    ['', 'empty config data'],
    [
      'kind: AuthenticationConfiguration',
      "Object 'apiVersion' is missing in 'kind: AuthenticationConfiguration'",
    ],
    ['apiVersion: apiserver.config.k8s.io/v1', "Object 'Kind' is missing"],
    [
      configurationFile(MINIMAL).replace('v1beta1', 'v9'),
      'no kind "AuthenticationConfiguration" is registered for version "apiserver.config.k8s.io/v9"',
    ],
    [configurationFile(MINIMAL, { jtw: [] }), 'strict decoding error: unknown field "jtw"'],
    [
      configurationFile(MINIMAL, { jwt: 'x' }),
      'json: cannot unmarshal string into Go struct field AuthenticationConfiguration.jwt',
    ],
  ])('that cannot be decoded: %s', (text, message) => {
    expect(() => byText(text)).toThrow(message)
  })

  it('that is missing, or combined with OIDC flags', () => {
    expect(() => provider({ authenticationConfig: FILE })).toThrow(
      `open ${FILE}: no such file or directory`,
    )
    expect(() => provider({ authenticationConfig: FILE, oidc: FLAGS })).toThrow(
      'authentication-config file and oidc-* flags are mutually exclusive',
    )
  })

  it('accepts a valid certificateAuthority', () => {
    const { cert } = selfSignedCertificate('ca', START)
    expect(() => byFile(withIssuer({ certificateAuthority: cert }))).not.toThrow()
  })
})
