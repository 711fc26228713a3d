import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { removedTypes } from '../../src/engine/generated/removed-types'
import { TYPES } from '../../src/engine/generated/types'
import { builtinModel } from '../../src/engine/schema/builtin'
import { modelOfEveryRelease } from '../../src/engine/schema/every-release'
import type { Field, StructType, TypeNode } from '../../src/engine/schema/model'

type Schema = Record<string, unknown>
const documented = JSON.parse(
  readFileSync(new URL('../../facts/types.json', import.meta.url), 'utf8'),
) as Record<string, Schema>
const model = builtinModel()

function struct(name: string): StructType {
  const type = model.byName(name)
  if (type?.type !== 'struct') throw new Error(`${name} is not a structure`)
  return type
}

function field(type: string, name: string): Field {
  const found = struct(type).byName.get(name)
  if (found === undefined) throw new Error(`${type} has no ${name}`)
  return found
}

const CORE = 'io.k8s.api.core.v1'
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1'

describe('the model of the built-in types', () => {
  it('finds a kind by group, version and kind, and the same structure by its name', () => {
    expect(model.byKind('apps', 'v1', 'Deployment')).toBe(
      model.byName('io.k8s.api.apps.v1.Deployment'),
    )
    expect(model.byKind('', 'v1', 'Pod')?.groupVersionKinds).toEqual([
      { group: '', version: 'v1', kind: 'Pod' },
    ])
    expect(model.byKind('apps', 'v1', 'Pod')).toBeUndefined()
  })

  it('has the kinds that are the same in every version', () => {
    const options = model.byName(`${META}.DeleteOptions`)
    for (const [group, version] of [
      ['', 'v1'],
      ['apps', 'v1'],
      ['policy', 'v1'],
    ] as const)
      expect(model.byKind(group, version, 'DeleteOptions')).toBe(options)
  })

  it('has fields in the order in which kube-apiserver writes them', () => {
    expect(
      struct(`${META}.ObjectMeta`)
        .fields.map(({ name }) => name)
        .slice(0, 5),
    ).toEqual(['name', 'generateName', 'namespace', 'selfLink', 'uid'])
    expect(struct(`${CORE}.Pod`).fields.map(({ name, index }) => [name, index])).toEqual([
      ['kind', 0],
      ['apiVersion', 1],
      ['metadata', 2],
      ['spec', 3],
      ['status', 4],
    ])
  })

  it('distinguishes pointers, which keep zero and absent apart, from values', () => {
    expect(field('io.k8s.api.apps.v1.DeploymentSpec', 'replicas').pointer).toBe(true)
    expect(field('io.k8s.api.apps.v1.DeploymentSpec', 'minReadySeconds').pointer).toBe(false)
  })

  it('writes structs and times that are values even when empty', () => {
    expect(field(`${META}.ObjectMeta`, 'creationTimestamp')).toMatchObject({
      whenEmpty: 'zero',
      pointer: false,
    })
    expect(field(`${META}.ObjectMeta`, 'deletionTimestamp')).toMatchObject({
      whenEmpty: 'omit',
      pointer: true,
    })
    expect(field(`${CORE}.Pod`, 'status').whenEmpty).toBe('zero')
    expect(field(`${CORE}.PodSpec`, 'securityContext').whenEmpty).toBe('omit')
    expect(field(`${CORE}.PodSpec`, 'containers').whenEmpty).toBe('zero')
  })

  it('has the merge strategies of lists and maps', () => {
    expect(field(`${CORE}.PodSpec`, 'containers')).toMatchObject({
      patchStrategy: 'merge',
      patchMergeKey: 'name',
      type: { listType: 'map', mapKeys: ['name'] },
    })
    expect(field(`${CORE}.PodSpec`, 'volumes').patchStrategy).toBe('merge,retainKeys')
    expect(field(`${CORE}.Container`, 'ports').type).toMatchObject({
      listType: 'map',
      mapKeys: ['containerPort', 'protocol'],
    })
    expect(field(`${META}.ObjectMeta`, 'finalizers').type).toMatchObject({ listType: 'set' })
    expect(field(`${CORE}.ServiceSpec`, 'selector').type).toMatchObject({
      type: 'map',
      atomic: true,
    })
    expect(struct(`${META}.LabelSelector`).atomic).toBe(true)
  })

  it('can treat an atomic type as granular in one place', () => {
    expect(struct(`${CORE}.ObjectReference`).atomic).toBe(true)
    expect(field(`${CORE}.PersistentVolumeSpec`, 'claimRef').type).toMatchObject({
      name: `${CORE}.ObjectReference`,
      atomic: false,
    })
  })

  it('supports recursive types', () => {
    const schema = struct(
      'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps',
    )
    expect(schema.byName.get('not')?.type).toBe(schema)
    expect(schema.byName.get('items')?.type).toMatchObject({ type: 'any', objects: schema })
  })

  it('has a larger variant with the kinds of removed versions', () => {
    const old = modelOfEveryRelease().byKind('extensions', 'v1beta1', 'Deployment')
    expect(old?.byName.get('spec')?.type).toMatchObject({
      name: 'io.k8s.api.extensions.v1beta1.DeploymentSpec',
    })
    expect(modelOfEveryRelease().byKind('', 'v1', 'Pod')?.fields.length).toBe(5)
    expect(model.byKind('extensions', 'v1beta1', 'Deployment')).toBeUndefined()
  })

  it('can decode every type that it names', () => {
    for (const name of [...Object.keys(TYPES), ...Object.keys(removedTypes())]) {
      const type = modelOfEveryRelease().byName(`io.k8s.${name}`)
      if (type?.type === 'struct') expect.soft(() => type.fields, name).not.toThrow()
      else expect.soft(type, name).toBeDefined()
    }
  })

  it('contains everything in the OpenAPI documents', () => {
    const different = Object.keys(documented).filter((name) => {
      const type = model.byName(name)
      return (
        type?.type === 'struct' &&
        JSON.stringify(sorted(schemaOf(type))) !== JSON.stringify(sorted(documented[name]))
      )
    })
    expect(different).toEqual([])
  })
})

const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const named: Record<string, string> = {
  time: `${META}.Time`,
  microTime: `${META}.MicroTime`,
  quantity: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  intOrString: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
}
const scalars: Record<string, Schema> = {
  string: { type: 'string' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  boolean: { type: 'boolean' },
  bytes: { type: 'string', format: 'byte' },
}

/** Rebuilds the OpenAPI schema from the model alone. */
function schemaOf(type: StructType): Schema {
  const required = type.fields.filter((one) => one.required).map(({ name }) => name)
  return {
    type: 'object',
    ...(required.length > 0 ? { required: required.sort() } : {}),
    ...(type.fields.length > 0
      ? { properties: Object.fromEntries(type.fields.map((one) => [one.name, propertyOf(one)])) }
      : {}),
    ...(type.groupVersionKinds
      ? { 'x-kubernetes-group-version-kind': type.groupVersionKinds }
      : {}),
    ...(type.unions
      ? {
          'x-kubernetes-unions': type.unions.map(({ discriminator, fields }) => ({
            ...(discriminator ? { discriminator } : {}),
            'fields-to-discriminateBy': fields,
          })),
        }
      : {}),
    ...(type.atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
  }
}

function propertyOf({
  type,
  default: value,
  patchStrategy,
  patchMergeKey,
  statedListType,
}: Field): Schema {
  return {
    ...schemaOfValue(type),
    ...(value === undefined ? {} : { default: value }),
    ...(patchStrategy ? { 'x-kubernetes-patch-strategy': patchStrategy } : {}),
    ...(statedListType ? { 'x-kubernetes-list-type': statedListType } : {}),
    ...(patchMergeKey ? { 'x-kubernetes-patch-merge-key': patchMergeKey } : {}),
  }
}

function schemaOfValue(type: TypeNode): Schema {
  switch (type.type) {
    case 'struct':
      return {
        ...reference(type.name),
        ...(model.byName(type.name) !== type ? { 'x-kubernetes-map-type': 'granular' } : {}),
      }
    case 'any':
      return reference(type.name)
    case 'scalar': {
      const name = named[type.format]
      return name
        ? reference(name)
        : { ...scalars[type.format], ...(type.enum ? { enum: type.enum } : {}) }
    }
    case 'map':
      return {
        type: 'object',
        additionalProperties: schemaOfValue(type.values),
        ...(type.atomic
          ? { 'x-kubernetes-map-type': 'atomic' }
          : type.granularStated
            ? { 'x-kubernetes-map-type': 'granular' }
            : {}),
      }
    case 'list':
      return {
        type: 'array',
        items: schemaOfValue(type.items),
        ...(type.listTypeImplied ? {} : { 'x-kubernetes-list-type': type.listType }),
        ...(type.mapKeys.length > 0 ? { 'x-kubernetes-list-map-keys': type.mapKeys } : {}),
      }
  }
}

/**
 * Sorts members, unwraps `allOf` around a reference, and drops the empty defaults of list items and
 * map values.
 */
function sorted(value: unknown, inside = ''): unknown {
  if (Array.isArray(value))
    return inside === 'required' ? [...value].sort() : value.map((item) => sorted(item))
  if (typeof value !== 'object' || value === null) return value
  const { allOf, ...rest } = value as Schema
  const members: Schema = { ...rest, ...((allOf as Schema[] | undefined)?.[0] ?? {}) }
  if (inside === 'items' || inside === 'additionalProperties') delete members.default
  const isNameMap = inside === 'properties'
  return Object.fromEntries(
    Object.keys(members)
      .sort()
      .map((name) => [name, sorted(members[name], isNameMap ? '' : name)]),
  )
}
