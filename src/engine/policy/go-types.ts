/** The Go types of variables that no resource describes (k8s.io/api, packages admission/v1, core/v1). */
import type { Field, StructType, TypeNode } from '../schema/model'

const TEXT: TypeNode = { type: 'scalar', format: 'string' }
const RAW: TypeNode = { type: 'any', name: 'io.k8s.apimachinery.pkg.runtime.RawExtension' }
const TEXTS: TypeNode = { type: 'list', items: TEXT, listType: 'atomic', mapKeys: [] }

const mapOf = (values: TypeNode): TypeNode => ({ type: 'map', values, atomic: false })

const listOf = (items: TypeNode): TypeNode => ({ ...TEXTS, items }) as TypeNode

/** Members that are not listed are scalars. */
function struct(name: string, members: Record<string, TypeNode>): StructType {
  const fields = Object.entries(members).map(
    ([name, type], index): Field => ({
      name,
      index,
      type,
      required: false,
      whenEmpty: 'omit',
      pointer: false,
    }),
  )
  return {
    type: 'struct',
    name,
    fields,
    byName: new Map(fields.map((field) => [field.name, field])),
    alwaysWritten: [],
    quantities: [],
    atomic: false,
  }
}

const KIND = struct('GroupVersionKind', {})
const RESOURCE = struct('GroupVersionResource', {})

export const REQUEST_GO_TYPE = struct('AdmissionRequest', {
  kind: KIND,
  resource: RESOURCE,
  requestKind: KIND,
  requestResource: RESOURCE,
  userInfo: struct('UserInfo', { groups: TEXTS, extra: mapOf(TEXTS) }),
  object: RAW,
  oldObject: RAW,
  options: RAW,
})

export const NAMESPACE_GO_TYPE = struct('Namespace', {
  metadata: struct('ObjectMeta', {
    labels: mapOf(TEXT),
    annotations: mapOf(TEXT),
    finalizers: TEXTS,
  }),
  spec: struct('NamespaceSpec', { finalizers: TEXTS }),
  status: struct('NamespaceStatus', { conditions: listOf(struct('NamespaceCondition', {})) }),
})
