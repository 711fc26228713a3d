import { MEDIA_TYPE } from '../../core/names'
import { isJsonObject, type Json } from '../../core/object'
import { decodeProtobuf } from '../../encoding/protobuf/codec'
import { type ApiResponse, isStream } from '../../http/messages'
import { readJson } from '../../schema/json-reader'
import { MOST_NESTED } from '../../schema/nesting'
import { readYaml } from '../../schema/yaml/reader'
import type { RequestAttributes } from '../trace'

const PROTOBUF = [MEDIA_TYPE.protobuf, MEDIA_TYPE.protobufAlias]
/** The kind is first in JSON, and on a line of its own in YAML. */
const STATUS = /^\{\s*"kind":\s*"Status"|^kind: Status$/m
const NOT_ACCEPTABLE = 406
const DISCOVERY = /^\/apis?(\/|$)/
/** Characters; a Status is short. */
const LOOKED_AT = 2000

/**
 * For a body that was not decoded as the resource; undefined for creates and updates. Recorded from
 * kube-apiserver 1.31.
 */
export function undecodedRequestObject(
  { verb }: RequestAttributes,
  body: Uint8Array | undefined,
): Json | undefined {
  if (body === undefined || body.length === 0) return undefined
  if (verb === 'patch') return parsed(body)
  if (verb !== 'delete' && verb !== 'deletecollection') return undefined
  const options = parsed(body)
  return isJsonObject(options)
    ? { ...options, kind: 'DeleteOptions', apiVersion: INTERNAL_OPTIONS }
    : undefined
}

/** Options are in the internal version. Recorded from kube-apiserver 1.31. */
const INTERNAL_OPTIONS = 'meta.k8s.io/__internal'

/**
 * Documents other than discovery, and 406 responses, bypass the audit (kube-apiserver 1.31).
 * @param isWhole false: decode only a Status
 */
export function responseObjectOf(
  { status, headers, body }: ApiResponse,
  attributes: RequestAttributes | undefined,
  isWhole: boolean,
): Json | undefined {
  if (body === undefined || isStream(body) || headers['content-encoding'] !== undefined)
    return undefined
  if (
    status === NOT_ACCEPTABLE ||
    (status < 400 && attributes?.isResource === false && !DISCOVERY.test(attributes.path))
  )
    return undefined
  const type = String(headers['content-type'] ?? '')
  if (PROTOBUF.some((one) => type.startsWith(one)))
    return isWhole || status >= 400 ? decoded(body) : undefined
  const isText = type.startsWith(MEDIA_TYPE.json) || type.startsWith(MEDIA_TYPE.yaml)
  return isText && (isWhole || STATUS.test(beginningOf(body))) ? parsed(body) : undefined
}

const decoder = new TextDecoder()

function beginningOf(body: string | Uint8Array): string {
  return typeof body === 'string'
    ? body.slice(0, LOOKED_AT)
    : decoder.decode(body.subarray(0, LOOKED_AT))
}

function decoded(body: string | Uint8Array): Json | undefined {
  try {
    return typeof body === 'string' ? undefined : (decodeProtobuf(body).object as unknown as Json)
  } catch {
    return undefined
  }
}

/** Only JSON and YAML. */
function parsed(content: string | Uint8Array): Json | undefined {
  try {
    const text =
      typeof content === 'string'
        ? content
        : new TextDecoder('utf-8', { fatal: true }).decode(content)
    return text.startsWith('{') || text.startsWith('[')
      ? readJson(text, MOST_NESTED).value
      : readYaml(text).value
  } catch {
    return undefined
  }
}
