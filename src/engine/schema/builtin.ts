/** The type model of built-in kinds, parsed on first use: most requests need few types. */

import { memoizeByIdentity } from '../core/identity-memo'
import { entryOf } from '../core/object'
import { COMMON_VERSIONS, TYPES } from '../generated/types'
import type { ReleaseTypes } from '../release-tables/changes'
import { isAlwaysWritten } from './empty'
import { withMissingKeys } from './missing-keys'
import type { AnyType, Field, ScalarType, StructType, TypeModel, TypeNode } from './model'
import { parseMember, parseTypeText, type Resolve } from './type-notation'

const PREFIX = 'io.k8s.'
const META = 'apimachinery.pkg.apis.meta.v1.'
const EXTENSIONS = 'apiextensions-apiserver.pkg.apis.apiextensions.v1.'

/** Types with their own JSON codec. Recorded from kube-apiserver 1.31. */
const SPECIAL: Record<string, ScalarType | AnyType> = {
  [`${META}Time`]: { type: 'scalar', format: 'time', goType: 'v1.Time', enum: undefined },
  [`${META}MicroTime`]: {
    type: 'scalar',
    format: 'microTime',
    goType: 'v1.MicroTime',
    enum: undefined,
  },
  'apimachinery.pkg.api.resource.Quantity': {
    type: 'scalar',
    format: 'quantity',
    goType: 'resource.Quantity',
    enum: undefined,
  },
  'apimachinery.pkg.util.intstr.IntOrString': {
    type: 'scalar',
    format: 'intOrString',
    goType: 'intstr.IntOrString',
    enum: undefined,
  },
  [`${META}FieldsV1`]: any(`${META}FieldsV1`),
  [`${META}Patch`]: any(`${META}Patch`),
  'apimachinery.pkg.runtime.RawExtension': any('apimachinery.pkg.runtime.RawExtension'),
  [`${EXTENSIONS}JSON`]: any(`${EXTENSIONS}JSON`),
}

const SCHEMA_OR_OTHER: Record<string, AnyType['alternative']> = {
  [`${EXTENSIONS}JSONSchemaPropsOrArray`]: 'schemas',
  [`${EXTENSIONS}JSONSchemaPropsOrBool`]: 'boolean',
  [`${EXTENSIONS}JSONSchemaPropsOrStringArray`]: 'texts',
}

function any(name: string): AnyType {
  return { type: 'any', name: PREFIX + name, goType: name.split('.').slice(-2).join('.') }
}

const isQuantity = (type: TypeNode): boolean => type.type === 'scalar' && type.format === 'quantity'

/** What named changes of a release change in types. */
interface TypeRules {
  keysOptional: boolean
  internalFollowsApi: boolean
}

/** The rules of a release; without tables those of the base release. */
export const typeRules = (tables?: ReleaseTypes): TypeRules => ({
  keysOptional: tables?.changes.has('KeysOfItemsOptional') ?? false,
  internalFollowsApi: tables?.changes.has('InternalTypesFollowApi') ?? false,
})

/** A structure that parses its members on first access, so types may be recursive. */
class BuiltinStruct implements StructType {
  readonly type = 'struct'
  readonly name: string
  readonly goType: string
  readonly atomic: boolean
  readonly groupVersionKinds: StructType['groupVersionKinds']
  readonly unions: StructType['unions']
  readonly internalFollowsApi: boolean
  readonly #keysOptional: boolean
  #members: string[]
  #fields: Field[] | undefined
  #byName: Map<string, Field> | undefined
  #alwaysWritten: Field[] | undefined
  #quantities: Field[] | undefined

  constructor(
    private readonly shortName: string,
    text: string,
    private readonly resolve: Resolve,
    granular: boolean,
    commonVersions: Record<string, string>,
    { keysOptional, internalFollowsApi }: TypeRules,
  ) {
    const parsed = parseTypeText(text)
    this.#keysOptional = keysOptional
    this.internalFollowsApi = internalFollowsApi
    this.name = PREFIX + shortName
    this.goType = shortName.split('.').slice(-2).join('.')
    this.atomic = parsed.atomic && !granular
    this.#members = parsed.members
    const kinds = kindsOf(parsed.kinds, parsed.common, commonVersions)
    this.groupVersionKinds = kinds.length > 0 ? kinds : undefined
    this.unions = parsed.unions
  }

  get fields(): Field[] {
    this.#fields ??= this.#members.map((line, index) => {
      const field = parseMember(line, index, this.shortName, this.resolve)
      return this.#keysOptional ? { ...field, type: withMissingKeys(field.type) } : field
    })
    return this.#fields
  }

  get byName(): Map<string, Field> {
    this.#byName ??= new Map(this.fields.map((field) => [field.name, field]))
    return this.#byName
  }

  get alwaysWritten(): readonly Field[] {
    this.#alwaysWritten ??= this.fields.filter(isAlwaysWritten)
    return this.#alwaysWritten
  }

  get quantities(): readonly Field[] {
    this.#quantities ??= this.fields.filter(({ type }) => isQuantity(type))
    return this.#quantities
  }
}

function kindsOf(
  kinds: string[],
  common: string | undefined,
  commonVersions: Record<string, string>,
) {
  const all =
    common === undefined
      ? kinds
      : (entryOf(commonVersions, common) ?? '').split(' ').map((version) => `${version}/${common}`)
  return all.map((text) => {
    const [group = '', version = '', kind = ''] = text.split('/')
    return { group, version, kind }
  })
}

export class BuiltinModel implements TypeModel {
  private readonly types = new Map<string, TypeNode>()
  private kinds: Map<string, StructType> | undefined

  constructor(
    private readonly texts: Record<string, string>,
    private readonly commonVersions: Record<string, string> = COMMON_VERSIONS,
    private readonly rules: TypeRules = typeRules(),
  ) {}

  byName(name: string): TypeNode | undefined {
    return this.find(name.slice(PREFIX.length), false)
  }

  byKind(group: string, version: string, kind: string): StructType | undefined {
    this.kinds ??= this.indexKinds()
    return this.kinds.get(`${group}/${version}/${kind}`)
  }

  private find(shortName: string, granular: boolean): TypeNode | undefined {
    const key = granular ? `~${shortName}` : shortName
    const known = this.types.get(key)
    if (known !== undefined) return known
    const node = entryOf(SPECIAL, shortName) ?? this.read(shortName, granular)
    if (node !== undefined) this.types.set(key, node)
    return node
  }

  private read(shortName: string, granular: boolean): TypeNode | undefined {
    const text = entryOf(this.texts, shortName)
    if (text === undefined) return undefined
    const alternative = entryOf(SCHEMA_OR_OTHER, shortName)
    if (alternative !== undefined)
      return {
        ...any(shortName),
        objects: this.resolve(`${EXTENSIONS}JSONSchemaProps`, false) as StructType,
        alternative,
      }
    return new BuiltinStruct(
      shortName,
      text,
      this.resolve,
      granular,
      this.commonVersions,
      this.rules,
    )
  }

  private readonly resolve: Resolve = (shortName, granular) => {
    const node = this.find(shortName, granular)
    if (node === undefined) throw new Error(`no type ${shortName}`)
    return node
  }

  private indexKinds(): Map<string, StructType> {
    const index = new Map<string, StructType>()
    for (const [shortName, text] of Object.entries(this.texts)) {
      if (!text.startsWith('@') && !text.includes('\n@')) continue
      const node = this.find(shortName, false)
      if (node?.type !== 'struct') continue
      for (const { group, version, kind } of node.groupVersionKinds ?? [])
        index.set(`${group}/${version}/${kind}`, node)
    }
    return index
  }
}

let model: TypeModel | undefined

export function builtinModel(): TypeModel {
  model ??= new BuiltinModel(TYPES)
  return model
}

const releaseModel = memoizeByIdentity(
  (tables: ReleaseTypes): TypeModel =>
    new BuiltinModel(tables.table('types'), tables.table('commonVersions'), typeRules(tables)),
)

/** Built once for each release; the engine's own by default. */
export function modelOf(tables?: ReleaseTypes): TypeModel {
  return tables === undefined || tables.isBase ? builtinModel() : releaseModel(tables)
}
