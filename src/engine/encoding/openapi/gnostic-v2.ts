/** openapi.v2.Document of OpenAPIv2.proto. */
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

export function encodeOpenapiV2(document: JsonObject): Uint8Array {
  return encode(document, DOCUMENT)
}

const SCHEMA: Field[] = [
  [1, '$ref', text],
  [2, 'format', text],
  [3, 'title', text],
  [4, 'description', text],
  [5, 'default', any],
  ...boundsFrom(6),
  [19, 'required', text],
  [20, 'enum', any],
  [
    21,
    'additionalProperties',
    wrapped(
      1,
      message(() => SCHEMA),
    ),
  ],
  [22, 'type', wrapped(1, text)],
  [
    23,
    'items',
    wrapped(
      1,
      message(() => SCHEMA),
    ),
  ],
  [24, 'allOf', message(() => SCHEMA)],
  [
    25,
    'properties',
    pairs(
      1,
      message(() => SCHEMA),
    ),
  ],
  [31, EXTENSIONS, any],
]
const schema = message(() => SCHEMA)

const QUERY_PARAMETER: Field[] = [
  [1, 'required', flag, WireType.Varint],
  [2, 'in', text],
  [3, 'description', text],
  [4, 'name', text],
  [6, 'type', text],
  [20, 'uniqueItems', flag, WireType.Varint],
]
const PATH_PARAMETER: Field[] = [
  [1, 'required', flag, WireType.Varint],
  [2, 'in', text],
  [3, 'description', text],
  [4, 'name', text],
  [5, 'type', text],
  [19, 'uniqueItems', flag, WireType.Varint],
]
const BODY_PARAMETER: Field[] = [
  [1, 'description', text],
  [2, 'name', text],
  [3, 'in', text],
  [4, 'required', flag, WireType.Varint],
  [5, 'schema', schema],
]

/** Parameter contains the body, or NonBodyParameter. */
const parameter: Write = (writer, value) => {
  const place = (value as JsonObject).in
  const own = message(() =>
    place === 'body' ? BODY_PARAMETER : place === 'query' ? QUERY_PARAMETER : PATH_PARAMETER,
  )
  wrapped(
    place === 'body' ? 1 : 2,
    place === 'body' ? own : wrapped(place === 'query' ? 3 : 4, own),
  )(writer, value)
}

const REFERENCE: Field[] = [[1, '$ref', text]]

/** ParametersItem contains Parameter, or JsonReference to a shared one. */
const parameterItem: Write = (writer, value) => {
  const isReference = (value as JsonObject).$ref !== undefined
  wrapped(isReference ? 2 : 1, isReference ? message(() => REFERENCE) : parameter)(writer, value)
}

const RESPONSE: Field[] = [
  [1, 'description', text],
  [2, 'schema', wrapped(1, schema)],
]

const OPERATION: Field[] = [
  [1, 'tags', text],
  [3, 'description', text],
  [5, 'operationId', text],
  [6, 'produces', text],
  [7, 'consumes', text],
  [8, 'parameters', parameterItem],
  [
    9,
    'responses',
    pairs(
      1,
      wrapped(
        1,
        message(() => RESPONSE),
      ),
    ),
  ],
  [10, 'schemes', text],
  [13, EXTENSIONS, any],
]
const operation = message(() => OPERATION)

const PATH_ITEM: Field[] = [
  [2, 'get', operation],
  [3, 'put', operation],
  [4, 'post', operation],
  [5, 'delete', operation],
  [6, 'options', operation],
  [7, 'head', operation],
  [8, 'patch', operation],
  [9, 'parameters', parameterItem],
]

const INFO: Field[] = [
  [1, 'title', text],
  [2, 'version', text],
]

const API_KEY: Field[] = [
  [1, 'type', text],
  [2, 'name', text],
  [3, 'in', text],
  [4, 'description', text],
]

const requirement = pairs(1, (writer, value) =>
  writer.delimited(() => {
    for (const scope of [...(value as string[])].reverse()) put(writer, 1, text, scope)
  }),
)

const DOCUMENT: Field[] = [
  [1, 'swagger', text],
  [2, 'info', message(() => INFO)],
  [
    8,
    'paths',
    pairs(
      2,
      message(() => PATH_ITEM),
    ),
  ],
  [9, 'definitions', pairs(1, schema)],
  [10, 'parameters', pairs(1, parameter)],
  [12, 'security', requirement],
  [
    13,
    'securityDefinitions',
    pairs(
      1,
      wrapped(
        2,
        message(() => API_KEY),
      ),
    ),
  ],
]
