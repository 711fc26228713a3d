/** The types of kinds as expressions know them (document 3, "Expression language", rule 5), made of the one type model. */
import { BOOL, BYTES, DOUBLE, DYN, INT, listOf, mapOf, object, STRING, TIMESTAMP, type Type } from '../../expressions/types/type'
import type { ScalarFormat, StructType, TypeNode } from '../../schema/model'

const SCALARS: Record<ScalarFormat, Type> = {
  string: STRING,
  int32: INT,
  int64: INT,
  double: DOUBLE,
  boolean: BOOL,
  bytes: BYTES,
  time: TIMESTAMP,
  microTime: TIMESTAMP,
  quantity: DYN,
  intOrString: DYN,
}

const known = new WeakMap<StructType, Type>()

/** What the model leaves open may be anything. */
export function typeOf(node: TypeNode): Type {
  switch (node.type) {
    case 'scalar':
      return SCALARS[node.format]
    case 'list':
      return listOf(typeOf(node.items))
    case 'map':
      return mapOf(STRING, typeOf(node.values))
    case 'struct':
      return structOf(node)
    default:
      return DYN
  }
}

/** Members that expressions cannot name as they are make a structure one that may hold anything. */
function structOf(struct: StructType): Type {
  const made = known.get(struct)
  if (made !== undefined) return made
  const fields = new Map<string, Type>()
  const open = struct.preserveUnknown === true || struct.additional !== undefined
  const nameless = struct.fields.some(({ name }) => !/^[a-zA-Z_]\w*$/.test(name))
  const type = open || nameless ? DYN : object(struct.name || 'object', fields)
  // Noted before its members are: types may contain themselves.
  known.set(struct, type)
  if (type !== DYN) for (const field of struct.fields) fields.set(field.name, typeOf(field.type))
  if (struct.resource === true) for (const [name, member] of RESOURCE_MEMBERS) if (!fields.has(name)) fields.set(name, member)
  return type
}

/** What every object has, though the schema of a custom one need not say so. */
const RESOURCE_MEMBERS: readonly [string, Type][] = [
  ['kind', STRING],
  ['apiVersion', STRING],
  ['metadata', object('kubernetes.ObjectMeta', new Map([['name', STRING], ['generateName', STRING]]))],
] // biome-ignore format: one table
