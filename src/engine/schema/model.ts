/** The type model of built-in kinds and custom resources. */
import type { Json } from '../core/object'

export type TypeNode = StructType | MapType | ListType | ScalarType | AnyType

interface Described {
  description?: string
  nullable?: boolean
  /** Replaces null in items and additional properties of custom resources. */
  default?: Json
  others?: OtherValues
  /** In type errors: `v1.PodSpec`, `[]v1.EnvVar`, `int32`. */
  goType?: string
}

/** Keywords for values of another type than the schema's. */
export interface OtherValues {
  object?: StructType | MapType
  list?: ListType
  keeps?: true
}

export interface StructType extends Described {
  type: 'struct'
  /** `io.k8s.api.core.v1.Pod`; empty for anonymous structs. */
  name: string
  /** In encoding order. */
  fields: Field[]
  byName: Map<string, Field>
  alwaysWritten: readonly Field[]
  quantities: readonly Field[]
  /** One owner for the whole (x-kubernetes-map-type). */
  atomic: boolean
  /** x-kubernetes-preserve-unknown-fields */
  preserveUnknown?: boolean
  /** The internal type of kube-apiserver has the members of the API's, in their order. */
  internalFollowsApi?: boolean
  /** Custom resources: the type of other members (`additionalProperties` next to `properties`). */
  additional?: TypeNode
  /**
   * The root, or x-kubernetes-embedded-resource: the schema may omit apiVersion, kind and metadata.
   */
  resource?: boolean
  metadata?: TypeNode
  groupVersionKinds?: { group: string; version: string; kind: string }[]
  unions?: { discriminator?: string; fields: Record<string, string> }[]
}

export interface Field {
  name: string
  index: number
  type: TypeNode
  /** Compiled only where the document requires the field. */
  required: boolean
  /**
   * How an unset or empty value is written.
   * - `omit`: not at all (Go's omitempty)
   * - `zero`: `""`, `0`, `false`; `null` for lists, maps and times; `{}` with its always-written
   *   members for structures
   */
  whenEmpty: 'omit' | 'zero'
  /** Distinguishes empty from absent. */
  pointer: boolean
  default?: Json
  enum?: string[]
  /** `merge`, `replace`, `retainKeys` or a comma-joined pair. */
  patchStrategy?: string
  patchMergeKey?: string
  /** Without effect; only published again. */
  statedListType?: string
  description?: string
}

export interface MapType extends Described {
  type: 'map'
  values: TypeNode
  atomic: boolean
  /** Without effect; only published again. */
  granularStated?: boolean
}

export interface ListType extends Described {
  type: 'list'
  items: TypeNode
  listType: 'atomic' | 'set' | 'map'
  mapKeys: string[]
  /** Items need only one of their keys. */
  allowsMissingKeys?: true
  /** Implied, so not published. */
  listTypeImplied?: boolean
}

/** `duration` is a Go duration string; `rawTime` never occurs. */
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
  textFormat?: string
}

/** RawExtension, FieldsV1, apiextensions JSON, or a preserved part of a custom resource. */
export interface AnyType extends Described {
  type: 'any'
  name: string
  /** Objects in its place (JSONSchemaPropsOrArray …). */
  objects?: StructType
  alternative?: 'schemas' | 'boolean' | 'texts'
  /** Objects lose their members (`additionalProperties: true`). */
  closed?: boolean
}

export interface TypeModel {
  /** `io.k8s.api.core.v1.PodSpec` */
  byName(name: string): TypeNode | undefined
  byKind(group: string, version: string, kind: string): StructType | undefined
}
