/** RFC 7515, section 7.1; RFC 7519. */
import { isJsonObject, type Json, type JsonObject } from '../../core/object'
import { base64Url, bytesOfBase64Url } from '../../schema/base64'

export interface Jwt {
  header: JsonObject
  claims: JsonObject
  signature: Uint8Array
  signed: Uint8Array
}

const encoder = new TextEncoder()

/** Does not verify the signature. @returns undefined if it is not a JWT */
export function parseJwt(token: string): Jwt | undefined {
  const parts = token.split('.')
  if (parts.length !== 3) return undefined
  const [header, claims] = parts.slice(0, 2).map(memberOf)
  const signature = bytesOfBase64Url(parts[2] as string)
  if (header === undefined || claims === undefined || signature === undefined) return undefined
  return {
    header,
    claims,
    signature,
    signed: encoder.encode(`${parts[0]}.${payloadSigned(header, parts[1] as string)}`),
  }
}

/** RFC 7797: with `b64: false` the signature covers the payload itself. */
const payloadSigned = ({ b64 }: JsonObject, payload: string): string =>
  b64 === false ? new TextDecoder().decode(bytesOfBase64Url(payload)) : payload

/** RFC 7797. */
const EXTENSIONS: readonly unknown[] = ['b64']

/** Without support for all of `crit`, a signature proves nothing (RFC 7515, section 4.1.11). */
export function isUnderstood({ crit }: JsonObject): boolean {
  if (crit === undefined || crit === null) return true
  return Array.isArray(crit) && crit.every((name) => EXTENSIONS.includes(name))
}

function memberOf(text: string): JsonObject | undefined {
  const bytes = bytesOfBase64Url(text)
  if (bytes === undefined) return undefined
  try {
    const value: Json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export async function signedJwt(
  header: JsonObject,
  claims: JsonObject,
  sign: (message: Uint8Array) => Promise<Uint8Array>,
): Promise<string> {
  const [head, body] = [header, claims].map((part) =>
    base64Url(encoder.encode(JSON.stringify(part))),
  )
  const text = `${head}.${body}`
  return `${text}.${base64Url(await sign(encoder.encode(text)))}`
}
