/**
 * Parses the notation of types in `generated/types.ts`, one line per member:
 *
 *     @kinds apps/v1/Deployment            header lines begin with @
 *     metadata?:apimachinery.pkg.apis.meta.v1.ObjectMeta={}
 *     replicas?:*i
 *     ports?:[containerPort,protocol].ContainerPort %merge/containerPort
 *
 * A member consists of, in this order:
 * - `name`, `?` if it is omitted when empty (`??`: although it is a structure held by value), `!` if
 *   the document requires it
 * - `:` and its type, `=` and its default in JSON
 * - ` %` with its patch strategy and merge key
 * - ` ^` with a list type that is stated for another type
 *
 * A type is `*` for a pointer, which keeps a sent 0 for defaults and validation, `<Go name>` if
 * errors use another name, then one of
 *
 *     s i l d b B       string, int32, int64, double, boolean, bytes; `s(A|B)` with its
 *                       values for OpenAPI and completion; `validate` rejects others
 *     [keys]T  [set]T   list: map keys, `set`, `atomic` or empty
 *     {atomic}T         map from string
 *     .Name  a.b.Name   a type of the same package, or of another;
 *                       `~` in front: granular although the type is atomic
 */
import { entryOf, type Json } from '../core/object'
import type { Field, ListType, ScalarFormat, StructType, TypeNode } from './model'

export interface TypeText {
  atomic: boolean
  kinds: string[]
  /** A list of versions in which this kind occurs everywhere. */
  common?: string
  unions?: StructType['unions']
  members: string[]
}

export function parseTypeText(text: string): TypeText {
  const parsed: TypeText = { atomic: false, kinds: [], members: [] }
  for (const line of text === '' ? [] : text.split('\n')) {
    if (line === '@atomic') parsed.atomic = true
    else if (line.startsWith('@kinds ')) parsed.kinds = line.slice(7).split(' ')
    else if (line.startsWith('@common ')) parsed.common = line.slice(8)
    else if (line.startsWith('@unions ')) parsed.unions = parseUnions(line.slice(8))
    else parsed.members.push(line)
  }
  return parsed
}

function parseUnions(text: string): StructType['unions'] {
  const unions = JSON.parse(text) as {
    discriminator?: string
    'fields-to-discriminateBy': Record<string, string>
  }[]
  return unions.map(({ discriminator, 'fields-to-discriminateBy': fields }) => ({
    ...(discriminator ? { discriminator } : {}),
    fields,
  }))
}

/** @param granular requests the variant that is not atomic */
export type Resolve = (name: string, granular: boolean) => TypeNode

const MEMBER =
  /^([^?!:]+)(\?{0,2})(!?):(\*?)((?:[^=( ]|\([^)]*\))+)(?:=([^ ]+))?(?: %([^/ ]+)(?:\/([^ ]+))?)?(?: \^(\w+))?$/

/** @param owner in short form, `api.core.v1.Pod` */
export function parseMember(line: string, index: number, owner: string, resolve: Resolve): Field {
  const match = MEMBER.exec(line)
  if (match === null) throw new Error(`type ${owner}: cannot read ${line}`)
  const [
    ,
    name = '',
    omitEmpty,
    required,
    pointer,
    typeText = '',
    defaultText,
    patchStrategy,
    patchMergeKey,
    listType,
  ] = match
  const type = parseType(typeText, owner, resolve)
  // One hidden class in V8.
  return {
    name,
    index,
    type,
    required: required === '!',
    whenEmpty: isWrittenEmpty(omitEmpty, pointer, type) ? 'zero' : 'omit',
    pointer: pointer === '*',
    default: defaultText === undefined ? undefined : (JSON.parse(defaultText) as Json),
    enum: type.type === 'scalar' ? type.enum : undefined,
    patchStrategy,
    patchMergeKey,
    statedListType: listType,
  }
}

/** @param omitEmpty `?` is Go's `omitempty`, `??` its `omitzero` */
const isWrittenEmpty = (omitEmpty = '', pointer = '', type: TypeNode): boolean =>
  omitEmpty === '' || (omitEmpty === '?' && pointer === '' && isWrittenByItself(type))

/**
 * Types that are written even if empty and `omitempty` (Go's encoding/json): times as `null`,
 * quantities as `"0"`, int-or-string as `0`.
 */
function isWrittenByItself(type: TypeNode): boolean {
  if (type.type === 'struct' || type.type === 'any') return true
  return (
    type.type === 'scalar' && ['time', 'microTime', 'quantity', 'intOrString'].includes(type.format)
  )
}

const SCALARS: Record<string, [ScalarFormat, goType: string]> = {
  s: ['string', 'string'],
  i: ['int32', 'int32'],
  l: ['int64', 'int64'],
  d: ['double', 'float64'],
  b: ['boolean', 'bool'],
  B: ['bytes', '[]uint8'],
}

function parseType(text: string, owner: string, resolve: Resolve): TypeNode {
  const first = text.charAt(0)
  if (first === '<') {
    const end = text.indexOf('>')
    const name = text.slice(1, end)
    const goType = name.startsWith('.') ? owner.split('.').at(-2) + name : name
    return { ...parseType(text.slice(end + 1), owner, resolve), goType }
  }
  if (first === '[') return parseList(text, owner, resolve)
  if (first === '{') {
    const end = text.indexOf('}')
    const stated = text.slice(1, end)
    const values = parseType(text.slice(end + 1), owner, resolve)
    const goType = `map[string]${values.goType}`
    return {
      type: 'map',
      values,
      atomic: stated === 'atomic',
      goType,
      granularStated: stated === 'granular',
    }
  }
  if (text.includes('.')) {
    const granular = first === '~'
    const name = granular ? text.slice(1) : text
    return resolve(
      name.startsWith('.') ? owner.slice(0, owner.lastIndexOf('.')) + name : name,
      granular,
    )
  }
  const scalar = entryOf(SCALARS, first)
  if (scalar === undefined) throw new Error(`type ${owner}: cannot read ${text}`)
  return {
    type: 'scalar',
    format: scalar[0],
    goType: scalar[1],
    enum: text.length > 1 ? text.slice(2, -1).split('|') : undefined,
  }
}

function parseList(text: string, owner: string, resolve: Resolve): ListType {
  const end = text.indexOf(']')
  const stated = text.slice(1, end)
  const items = parseType(text.slice(end + 1), owner, resolve)
  const goType = `[]${items.goType}`
  const listTypeImplied = stated === ''
  if (listTypeImplied || stated === 'atomic' || stated === 'set')
    return {
      type: 'list',
      items,
      listType: stated || 'atomic',
      mapKeys: [],
      listTypeImplied,
      goType,
    }
  return {
    type: 'list',
    items,
    listType: 'map',
    mapKeys: stated.split(','),
    listTypeImplied,
    goType,
  }
}
