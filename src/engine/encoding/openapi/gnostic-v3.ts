/** openapi.v3.Document of OpenAPIv3.proto. */
import type { JsonObject } from '../../core/object'
import { WireType } from '../protobuf/writer'
import {
  any,
  boundsFrom,
  EXTENSIONS,
  encode,
  type Field,
  flag,
  message,
  pairs,
  put,
  text,
  type Write,
  wrapped,
} from './gnostic'

export function encodeOpenapiV3(document: JsonObject): Uint8Array {
  return encode(document, DOCUMENT)
}

const REFERENCE: Field[] = [[1, '$ref', text]]

/** A wrapper message holds the reference or the value. */
const orReference =
  (fields: () => Field[]): Write =>
  (writer, value) => {
    const isReference = '$ref' in (value as JsonObject)
    writer.delimited(() =>
      put(writer, isReference ? 2 : 1, message(isReference ? () => REFERENCE : fields), value),
    )
  }

const SCHEMA: Field[] = [
  [1, 'nullable', flag, WireType.Varint],
  [9, 'title', text],
  ...boundsFrom(10),
  [23, 'required', text],
  [24, 'enum', any],
  [25, 'type', text],
  [26, 'allOf', orReference(() => SCHEMA)],
  [27, 'oneOf', orReference(() => SCHEMA)],
  [28, 'anyOf', orReference(() => SCHEMA)],
  [29, 'not', message(() => SCHEMA)],
  [
    30,
    'items',
    wrapped(
      1,
      orReference(() => SCHEMA),
    ),
  ],
  [
    31,
    'properties',
    pairs(
      1,
      orReference(() => SCHEMA),
    ),
  ],
  [
    32,
    'additionalProperties',
    wrapped(
      1,
      orReference(() => SCHEMA),
    ),
  ],
  [33, 'default', writeDefault],
  [34, 'description', text],
  [35, 'format', text],
  [36, EXTENSIONS, any],
]
const schema = orReference(() => SCHEMA)

/** There is no field for structures, so their default is omitted. */
function writeDefault(...[writer, value]: Parameters<Write>): void {
  writer.delimited(() => {
    if (typeof value === 'number')
      put(writer, 1, (to, number) => to.double(number as number), value, WireType.Fixed64)
    else if (typeof value === 'boolean') put(writer, 2, flag, value, WireType.Varint)
    else if (typeof value === 'string') put(writer, 3, text, value)
  })
}

const content = pairs(
  1,
  message(() => [[1, 'schema', schema]]),
)

const PARAMETER: Field[] = [
  [1, 'name', text],
  [2, 'in', text],
  [3, 'description', text],
  [4, 'required', flag, WireType.Varint],
  [10, 'schema', schema],
]
const parameter = orReference(() => PARAMETER)

const REQUEST_BODY: Field[] = [
  [2, 'content', content],
  [3, 'required', flag, WireType.Varint],
]

const RESPONSE: Field[] = [
  [1, 'description', text],
  [3, 'content', content],
]

const OPERATION: Field[] = [
  [1, 'tags', text],
  [3, 'description', text],
  [5, 'operationId', text],
  [6, 'parameters', parameter],
  [7, 'requestBody', orReference(() => REQUEST_BODY)],
  [
    8,
    'responses',
    pairs(
      2,
      orReference(() => RESPONSE),
    ),
  ],
  [13, EXTENSIONS, any],
]
const operation = message(() => OPERATION)

const PATH_ITEM: Field[] = [
  [4, 'get', operation],
  [5, 'put', operation],
  [6, 'post', operation],
  [7, 'delete', operation],
  [8, 'options', operation],
  [9, 'head', operation],
  [10, 'patch', operation],
  [13, 'parameters', parameter],
]

const SECURITY_SCHEME: Field[] = [
  [1, 'type', text],
  [2, 'description', text],
  [3, 'name', text],
  [4, 'in', text],
]

const COMPONENTS: Field[] = [
  [1, 'schemas', pairs(1, schema)],
  [
    7,
    'securitySchemes',
    pairs(
      1,
      orReference(() => SECURITY_SCHEME),
    ),
  ],
]

const INFO: Field[] = [
  [1, 'title', text],
  [6, 'version', text],
]

const DOCUMENT: Field[] = [
  [1, 'openapi', text],
  [2, 'info', message(() => INFO)],
  [
    4,
    'paths',
    pairs(
      1,
      message(() => PATH_ITEM),
    ),
  ],
  [5, 'components', message(() => COMPONENTS)],
]
