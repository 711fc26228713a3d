/** Since 1.27, version 2 has shared `parameters`. Compared with published documents. */
import { isJsonObject, type Json, type JsonObject } from '../../core/object'
import { base64Url } from '../../schema/base64'

const REFERENCE = '#/parameters/'
const GENERAL_BODIES = '#/definitions/io.k8s.apimachinery'

export function withSharedParameters(document: JsonObject): JsonObject {
  const shared = new Map<string, JsonObject>()
  const names = new Map<string, string>()
  const referred = (parameters: Json): Json =>
    (parameters as JsonObject[]).map((parameter) => {
      if (!isShared(parameter)) return parameter
      const text = hashedText(parameter)
      const name = names.get(text) ?? `${parameter.name}-${hashOf(text)}`
      names.set(text, name)
      shared.set(name, parameter)
      return { $ref: `${REFERENCE}${name}` }
    })
  const withReferences = (item: Json): Json =>
    isJsonObject(item) && item.parameters !== undefined
      ? { ...item, parameters: referred(item.parameters) }
      : item
  const paths = Object.entries(document.paths as JsonObject).map(([path, item]) => {
    const members = Object.entries(withReferences(item) as JsonObject).map(
      ([member, value]) => [member, withReferences(value)] as const,
    )
    return [path, Object.fromEntries(members)] as const
  })
  const parameters = Object.fromEntries([...shared].sort(([a], [b]) => (a < b ? -1 : 1)))
  return withParameters({ ...document, paths: Object.fromEntries(paths) }, parameters)
}

export function withParameters(
  { definitions = {}, ...document }: JsonObject,
  parameters: JsonObject,
): JsonObject {
  const { swagger, info, paths, ...rest } = document
  delete rest.parameters
  return { swagger, info, paths, definitions, parameters, ...rest } as JsonObject
}

/** Not `dryRun` and `fieldValidation`, which clients use to detect support. */
function isShared({ name, in: place, schema }: JsonObject): boolean {
  if (name === 'name' || name === 'dryRun' || name === 'fieldValidation') return false
  return (
    place !== 'body' || (isJsonObject(schema) && String(schema.$ref).startsWith(GENERAL_BODIES))
  )
}

function hashedText({
  uniqueItems,
  type,
  description,
  name,
  in: place,
  required,
  schema,
}: JsonObject): string {
  return JSON.stringify({ uniqueItems, type, description, name, in: place, required, schema })
}

const OFFSET = 0xcbf29ce484222325n
const PRIME = 0x100000001b3n
const HASHED_BYTES = 6

/** 64-bit FNV-1, in base64url. */
function hashOf(text: string): string {
  let hash = OFFSET
  for (const byte of new TextEncoder().encode(text))
    hash = BigInt.asUintN(64, hash * PRIME) ^ BigInt(byte)
  const bytes = Uint8Array.from({ length: HASHED_BYTES }, (_, i) =>
    Number((hash >> BigInt(56 - 8 * i)) & 0xffn),
  )
  return base64Url(bytes)
}
