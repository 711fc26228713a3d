/** Bodies of requests and answers as values, whichever form they were sent in. */
import { decodeProtobuf } from '../../encoding/protobuf/codec'
import { type ApiResponse, isStream } from '../../http/messages'
import { MEDIA_TYPE } from '../../names'
import { isJsonObject, type Json } from '../../object'
import { readJson } from '../../schema/json-reader'
import { MOST_NESTED } from '../../schema/nesting'
import { readYaml } from '../../schema/yaml/reader'
import type { Asked } from '../trace'

const PROTOBUF = [MEDIA_TYPE.protobuf, MEDIA_TYPE.protobufAlias]
/** JSON begins with the kind, YAML has it on a line of its own. */
const STATUS = /^\{\s*"kind":\s*"Status"|^kind: Status$/m
const NOT_ACCEPTABLE = 406
const DISCOVERY = /^\/apis?(\/|$)/
/** A Status is short. */
const LOOKED_AT = 2000

/** What is told of the bodies of requests that were not read as an object of the resource: of creates and updates nothing (recorded). */
export function unread({ verb }: Asked, body: Uint8Array | undefined): Json | undefined {
  if (body === undefined || body.length === 0) return undefined
  if (verb === 'patch') return parsed(body)
  if (verb !== 'delete' && verb !== 'deletecollection') return undefined
  const options = parsed(body)
  return isJsonObject(options)
    ? { ...options, kind: 'DeleteOptions', apiVersion: INTERNAL_OPTIONS }
    : undefined
}

/** Options are written down in the form that the server works with, which has no version (recorded). */
const INTERNAL_OPTIONS = 'meta.k8s.io/__internal'

/**
 * The answer as a value, where the server makes it of an object: other documents than those of discovery, and that a client accepts
 * nothing that there is, are written past the audit (recorded).
 * @param isWhole whether it is to be shown; otherwise it is only read if it may be a Status, of which every event tells
 */
export function answerOf(
  { status, headers, body }: ApiResponse,
  asked: Asked | undefined,
  isWhole: boolean,
): Json | undefined {
  if (body === undefined || isStream(body) || headers['content-encoding'] !== undefined)
    return undefined
  if (
    status === NOT_ACCEPTABLE ||
    (status < 400 && asked?.isResource === false && !DISCOVERY.test(asked.path))
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

/** JSON or YAML as a value; anything else (Protobuf, text) is not shown. */
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
