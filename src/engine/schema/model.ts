/**
 * The type model. Built-in kinds (from generated tables) and custom resources (from their schemas)
 * become graphs of the same TypeNodes. Decoding, defaults, patches, field sets of apply, Protobuf,
 * OpenAPI, completion and explain use them.
 */
import type { Json } from '../core/object'

export type TypeNode = StructType | MapType | ListType | ScalarType | AnyType

interface Described {
  description?: string
  nullable?: boolean
  /** Custom resources: the default of an item or additional property that must not be null. */
  default?: Json
  /** Custom resources: keywords for values of another type. */
  others?: OtherValues
  /** Built-in types: the name that type errors give it, `v1.PodSpec`, `[]v1.EnvVar`, `int32`. */
  goType?: string
}

/** Words of a schema for other values than those of its type. */
export interface OtherValues {
  object?: StructType | MapType
  list?: ListType
  /** Unknown members are preserved. */
  keeps?: true
}

export interface StructType extends Described {
  type: 'struct'
  /**
   * Name in the OpenAPI documents, `io.k8s.api.core.v1.Pod`; empty for anonymous structs of custom
   * resources.
   */
  name: string
  /** In encoding order. */
  fields: Field[]
  byName: Map<string, Field>
  /** The fields that are written even if they are not set: few structures have any. */
  alwaysWritten: readonly Field[]
  /** The fields that are quantities themselves: few structures have any. */
  quantities: readonly Field[]
  /** `atomic`: one owner for the whole (x-kubernetes-map-type). */
  atomic: boolean
  /** Custom resources: preserve unknown members (x-kubernetes-preserve-unknown-fields). */
  preserveUnknown?: boolean
  /** Custom resources: the type of other members (`additionalProperties` next to `properties`). */
  additional?: TypeNode
  /**
   * Custom resources: an API object, whose apiVersion, kind and metadata the schema may omit
   * (x-kubernetes-embedded-resource, and the root).
   */
  resource?: boolean
  /** Custom resources: the schema of an embedded object's metadata: defaults. */
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
   * How an unset or empty value is written.
   * - `omit`: not at all (Go's omitempty)
   * - `zero`: as the type's empty value: `""`, `0`, `false`, `null` for lists, maps and times. A
   *   structure is `{}` with its always-written members.
   */
  whenEmpty: 'omit' | 'zero'
  /**
   * false: `0`, `""`, `false` and absent are equal and, with `omit`, not written. A pointer
   * distinguishes them.
   */
  pointer: boolean
  /** The schema's own default (not the ones that a kind's strategy computes). */
  default?: Json
  enum?: string[]
  /**
   * Strategic merge patch (`merge`, `replace`, `retainKeys` or a comma-joined pair), from the
   * generated tables.
   */
  patchStrategy?: string
  patchMergeKey?: string
  /**
   * A list type in the OpenAPI document of a member that is not a list; without effect, but
   * published again.
   */
  statedListType?: string
  description?: string
}

export interface MapType extends Described {
  type: 'map'
  values: TypeNode
  atomic: boolean
  /** The document specifies `granular` explicitly; published again. */
  granularStated?: boolean
}

export interface ListType extends Described {
  type: 'list'
  items: TypeNode
  /** x-kubernetes-list-type; `atomic` if unset. */
  listType: 'atomic' | 'set' | 'map'
  /** x-kubernetes-list-map-keys; empty unless `map`. */
  mapKeys: string[]
  /** Items may lack keys, if they have at least one of them. */
  allowsMissingKeys?: true
  /** The document has no list type: `atomic` is implied and not published again. */
  listTypeImplied?: boolean
}

/**
 * `duration` is a Go duration string; `rawTime` never occurs. Formats have Go's sizes: int32,
 * int64, double.
 */
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
  /** Custom resources: the format of a string (`date-time`), if the schema has one. */
  textFormat?: string
}

/**
 * Arbitrary JSON: RawExtension, FieldsV1, apiextensions JSON, or a preserved part of a custom
 * resource.
 */
export interface AnyType extends Described {
  type: 'any'
  name: string
  /** The type of objects in its place, alone or in a list (JSONSchemaPropsOrArray and similar). */
  objects?: StructType
  /** The alternative to such an object. */
  alternative?: 'schemas' | 'boolean' | 'texts'
  /**
   * Custom resources: no schema at all, so objects lose their members (`additionalProperties:
   * true`).
   */
  closed?: boolean
}

/** Finds types by name and by kind. Built once; custom resources extend a view of it. */
export interface TypeModel {
  /** `io.k8s.api.core.v1.PodSpec` */
  byName(name: string): TypeNode | undefined
  byKind(group: string, version: string, kind: string): StructType | undefined
}
