/**
 * OpenID Connect Discovery 1.0, section 4; RFC 7517, section 5. Recorded from kube-apiserver 1.31.
 */

import { publicKey } from '../authentication/service-accounts/keys'
import type { ServiceAccountTokens } from '../authentication/service-accounts/tokens'
import type { Jwk } from '../core/environment'
import { algorithmOf } from '../core/environment'
import { MEDIA_TYPE } from '../core/names'
import { entryOf } from '../core/object'
import type { Engine } from '../registry/engine'
import type { ApiRequest, ApiResponse } from './messages'
import { notRepresented, unlisted } from './negotiation'
import { textResponse } from './respond'
import { methodNotAllowed, noSuchResource } from './status'

const CONFIGURATION = '/.well-known/openid-configuration'
const KEYS = '/openid/v1/jwks'
const KEY_SET_TYPE = 'application/jwk-set+json'

interface Document {
  type: string
  content(engine: Engine, tokens: ServiceAccountTokens): Promise<object>
}

const DOCUMENTS: Record<string, Document> = {
  [CONFIGURATION]: { type: MEDIA_TYPE.json, content: configuration },
  [KEYS]: {
    type: KEY_SET_TYPE,
    content: async (_, tokens) => ({ keys: (await publishedKeys(tokens)).map(publicKey) }),
  },
}

/** Requires an https issuer. */
export function openIdPaths({ serviceAccountTokens: tokens }: Engine): string[] {
  return tokens && isSecureUrl(tokens.settings.issuers[0] ?? '') && isSecureKeysUri(tokens)
    ? Object.keys(DOCUMENTS)
    : []
}

const isSecureKeysUri = ({ settings: { keysUri } }: ServiceAccountTokens): boolean =>
  keysUri === '' || isSecureUrl(keysUri)

/** OpenID Connect Discovery 1.0, section 3. */
function isSecureUrl(text: string): boolean {
  return text.startsWith('https://') && URL.canParse(text) && !/[?#]/.test(text)
}

/**
 * @returns undefined for other paths
 * @throws ApiError 404, 405, 406
 */
export async function openIdResponse(
  engine: Engine,
  request: ApiRequest,
  path: string,
): Promise<ApiResponse | undefined> {
  const tokens = engine.serviceAccountTokens
  const served = openIdPaths(engine).find((one) => path === one || path.startsWith(`${one}/`))
  const document = served === undefined ? undefined : entryOf(DOCUMENTS, served)
  if (tokens === undefined || served === undefined || document === undefined) return undefined
  if (path !== served && path !== `${served}/`) throw noSuchResource()
  if (request.method !== 'GET') throw methodNotAllowed()
  if (unlisted(request.header('accept'), [document.type])) throw notRepresented([document.type])
  const response = textResponse(
    200,
    document.type,
    JSON.stringify(await document.content(engine, tokens)),
  )
  response.headers['cache-control'] = 'public, max-age=3600'
  return response
}

/** Published keys must stay valid, so this creates the first one. */
async function publishedKeys({ keys }: ServiceAccountTokens): Promise<Jwk[]> {
  const checking = await keys.checking()
  return checking.length > 0 ? checking : [await keys.signing()]
}

async function configuration(
  { serverAddress }: Engine,
  tokens: ServiceAccountTokens,
): Promise<object> {
  const { issuers, keysUri } = tokens.settings
  return {
    issuer: issuers[0],
    jwks_uri: keysUri || `https://${serverAddress}${KEYS}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [
      ...new Set((await publishedKeys(tokens)).map(algorithmOf)),
    ].sort(),
  }
}
