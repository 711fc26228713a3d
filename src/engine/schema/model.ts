/**
 * The one type model. Built-in kinds (compiled from facts) and custom resources (from their schemas) become the same graph of
 * TypeNodes, and everything that needs to know a type asks it: decoding, defaults, field order, patch and list strategies,
 * apply's field sets, Protobuf, OpenAPI, completion and explain.
 */
import type { Json } from '../object'

export type TypeNode = StructType | MapType | ListType | ScalarType | AnyType

interface Described {
  description?: string
  nullable?: boolean
  /** Custom resources: what the schema says for a value that has no name of its own, an item or a member not named: where it may not be null. */
  default?: Json
  /** Custom resources: what the schema says of values that are not of this type. */
  others?: OtherValues
  /** Built-in types: the name that type errors give it, `v1.PodSpec`, `[]v1.EnvVar`, `int32`. */
  goType?: string
}

/** Words of a schema for other values than those of its type. */
export interface OtherValues {
  object?: StructType | MapType
  list?: ListType
  /** Members that nothing names stay. */
  keeps?: true
}

export interface StructType extends Described {
  type: 'struct'
  /** Name in the OpenAPI documents, `io.k8s.api.core.v1.Pod`; empty for anonymous structs of custom resources. */
  name: string
  /** In the order in which the real server writes them. */
  fields: Field[]
  byName: Map<string, Field>
  /** The fields that are written even if they are not set: few structures have any. */
  alwaysWritten: readonly Field[]
  /** `atomic`: one owner for the whole (x-kubernetes-map-type). */
  atomic: boolean
  /** Custom resources: keep members the schema does not name (x-kubernetes-preserve-unknown-fields). */
  preserveUnknown?: boolean
  /** Custom resources: members not named follow this type (`additionalProperties` beside `properties`). */
  additional?: TypeNode
  /** Custom resources: an object of the API, whose apiVersion, kind and metadata the schema need not name (x-kubernetes-embedded-resource, and the root). */
  resource?: boolean
  /** Custom resources: what the schema says of the metadata of such an object inside another: defaults. */
  metadata?: TypeNode
  groupVersionKinds?: { group: string; version: string; kind: string }[]
  unions?: { discriminator?: string; fields: Record<string, string> }[]
}

export interface Field {
  name: string
  /** Its place in the structure's `fields`. */
  index: number
  type: TypeNode
  /** Compiled only where the document names the field as required. */
  required: boolean
  /**
   * How an unset or empty value is written:
   * `omit`   leave it out (Go's omitempty),
   * `zero`   write the type's empty value: `""`, `0`, `false`, `{}` (a struct is always written with its own always-written
   *          fields), `null` for lists, maps and times.
   */
  whenEmpty: 'omit' | 'zero'
  /** A value: `0`, `""`, `false` and absent are the same and, with `omit`, are not written. A pointer keeps them apart. */
  pointer: boolean
  /** The schema's own default (not the ones that a kind's strategy computes). */
  default?: Json
  enum?: string[]
  /** Strategic merge patch (`merge`, `replace`, `retainKeys` or a comma-joined pair), from the patch-strategy facts. */
  patchStrategy?: string
  patchMergeKey?: string
  /** A list type that the document states although the member is no list; without effect, shown again in OpenAPI documents. */
  statedListType?: string
  description?: string
}

export interface MapType extends Described {
  type: 'map'
  values: TypeNode
  atomic: boolean
  /** The document says `granular` in so many words; shown again in OpenAPI documents. */
  granularStated?: boolean
}

export interface ListType extends Described {
  type: 'list'
  items: TypeNode
  /** x-kubernetes-list-type; `atomic` where nothing is said. */
  listType: 'atomic' | 'set' | 'map'
  /** x-kubernetes-list-map-keys; empty unless `map`. */
  mapKeys: string[]
  /** The document says nothing of the list type: `atomic` is implied and not shown again in OpenAPI documents. */
  listTypeImplied?: boolean
}

/** `duration` is a Go duration string; `rawTime` never occurs. Formats carry Go's sizes: int32, int64, double. */
export type ScalarFormat =
  | 'string'
  | 'int32'
  | 'int64'
  | 'double'
  | 'boolean'
  | 'bytes'
  | 'time'
  | 'microTime'
  | 'quantity'
  | 'intOrString'

export interface ScalarType extends Described {
  type: 'scalar'
  format: ScalarFormat
  enum?: string[]
  /** Custom resources: the format of a text (`date-time`), where the schema says one. */
  textFormat?: string
}

/** Arbitrary JSON: RawExtension, FieldsV1, apiextensions JSON, or a custom resource's preserved subtree. */
export interface AnyType extends Described {
  type: 'any'
  name: string
  /** Objects in its place, and objects in a list in its place, follow this type (JSONSchemaPropsOrArray and its like). */
  objects?: StructType
  /** What may stand there beside such an object. */
  alternative?: 'schemas' | 'boolean' | 'texts'
  /** Custom resources: no schema at all, so objects in its place lose their members (`additionalProperties: true`). */
  closed?: boolean
}

/** Answers types by name and by kind. Built once; custom resources extend a view of it. */
export interface TypeModel {
  /** `io.k8s.api.core.v1.PodSpec` */
  byName(name: string): TypeNode | undefined
  byKind(group: string, version: string, kind: string): StructType | undefined
}
