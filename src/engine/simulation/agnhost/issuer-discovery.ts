/**
 * `agnhost test-service-account-issuer-discovery`: compares a token with the discovery documents of
 * its issuer (OpenID Connect Discovery 1.0). It does not check the signature.
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/object'
import { bytesOfBase64Url } from '../../schema/base64'
import { networkOf, targetIn } from '../script/builtins/http-clients'
import type { Builtin, ScriptState } from '../script/command'
import { dateIn } from '../script/dates'
import { OutsideSubset } from '../script/words'
import { flagIn } from './flags'
import { parsed } from './webhook'

const OWN_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token'
const CONFIGURATION = '/.well-known/openid-configuration'

export const discoverIssuer: Builtin = (args, state) => {
  const log = (text: string) => state.print(`${dateIn('%Y/%m/%d %H:%M:%S', state)} ${text}\n`, true)
  const fatal = (text: string) => {
    log(text)
    return { code: 1 }
  }
  const path = flagIn(args, '--token-path') ?? ''
  const token = state.files.read(path)
  if (token === undefined) return fatal(`open ${path}: no such file or directory`)
  log('OK: Got token')
  log('validating with in-cluster discovery')
  const [head, claims] = token.split('.').slice(0, 2).map(partOf)
  if (head === undefined || claims === undefined) return fatal('the token is not a JWT')
  const issuer = String(claims.iss ?? '')
  log(`OK: got issuer ${issuer}`)
  const configuration = fetched(`${issuer}${CONFIGURATION}`, state)
  if (typeof configuration === 'string') return fatal(configuration)
  if (configuration.issuer !== issuer)
    return fatal(
      `oidc: issuer did not match the issuer returned by provider, expected "${issuer}" got "${String(configuration.issuer)}"`,
    )
  log(`OK: Constructed OIDC provider for issuer ${issuer}`)
  const problem = problemIn(claims, flagIn(args, '--audience') ?? '', state)
  if (problem !== undefined) return fatal(problem)
  const keys = fetched(String(configuration.jwks_uri ?? ''), state)
  if (typeof keys === 'string') return fatal(keys)
  const isKnown = listOf(keys.keys).some((key) => isJsonObject(key) && key.kid === head.kid)
  if (!isKnown) return fatal('failed to verify signature: failed to verify id token signature')
  log('OK: the key of the token is published (this simulation does not check the signature)')
  log('OK: Got valid claims from token!')
  return {}
}

const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])

function partOf(part: string): JsonObject | undefined {
  const bytes = bytesOfBase64Url(part)
  const value = bytes && parsed(new TextDecoder().decode(bytes))
  return isJsonObject(value) ? value : undefined
}

function problemIn({ aud, exp }: JsonObject, audience: string, state: ScriptState) {
  const audiences = Array.isArray(aud) ? aud : [aud]
  if (!audiences.includes(audience))
    return `oidc: expected audience "${audience}" got ${JSON.stringify(audiences)}`
  const now = (state.around.now ?? 0) / 1000 + state.time
  return Number(exp) < now ? 'oidc: token is expired' : undefined
}

/** @returns the error message @throws OutsideSubset for issuers outside of the cluster */
function fetched(url: string, state: ScriptState): JsonObject | string {
  const network = networkOf(state, 'test-service-account-issuer-discovery')
  const target = targetIn(url)
  const ip = target && network.addressOf(target.host)
  if (target === undefined || ip === undefined || ip === 'timeout') throw new OutsideSubset(url)
  if (network.connect(ip, target.port).result !== 'api') throw new OutsideSubset(url)
  const token = state.files.read(OWN_TOKEN) ?? ''
  const response = network.callApi({
    method: 'GET',
    path: target.path,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json, */*' },
  })
  if (response === undefined) throw new OutsideSubset(url)
  const value = parsed(response.body)
  if (response.status === 200 && isJsonObject(value)) return value
  return `${response.status}: ${response.body}`
}
