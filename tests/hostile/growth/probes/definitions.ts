/** CustomResourceDefinitions whose schema or version grows in one construct, and objects of them. */
import { depthOf, nested, type Probe, target, times } from './probe'

type Schema = Record<string, unknown>

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const OBJECTS = '/apis/example.com/v1/namespaces/default/widgets'

const version = (spec: Schema, more: object = {}) => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
  ...more,
})

export const definition = (versions: object[], more: object = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions,
    ...more,
  },
})

export const widget = (spec: unknown) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w' },
  spec,
})

const TEXT = { type: 'string' }
const NUMBER = { type: 'integer' }
const object = (properties: Schema, more: object = {}) => ({ type: 'object', properties, ...more })
const named = (size: number, schema: (index: number) => unknown): Schema =>
  Object.fromEntries(times(size, (index) => [`p${index}`, schema(index)]))
const rule = (text: string, more: object = {}) => ({ rule: text, ...more })

interface Construct {
  schema(size: number): Schema
  /** An object of it; absent: only the definition is sent. */
  spec?(size: number): unknown
  more?(size: number): object
  sizes?: readonly number[]
  /** The published schema leaves it out, so that the document of another size is the same. */
  isUnpublished?: true
}

const CONSTRUCTS: Record<string, Construct> = {
  properties: {
    schema: (size) => object(named(size, () => TEXT)),
    spec: (size) => named(size, (index) => `v${index}`),
  },
  'unknown properties': {
    schema: () => object({}),
    spec: (size) => named(size, (index) => `v${index}`),
  },
  required: {
    schema: (size) =>
      object(
        named(size, () => TEXT),
        { required: Object.keys(named(size, Boolean)) },
      ),
    spec: () => ({}),
  },
  depth: {
    // Shallower bodies are read by the parser of the platform.
    sizes: [256, 512, 960],
    schema: (size) => nested<Schema>(depthOf(size), TEXT, (inner) => object({ a: inner })),
    spec: (size) => nested<unknown>(depthOf(size), 'x', (inner) => ({ a: inner })),
  },
  'depth of lists': {
    schema: (size) =>
      nested<Schema>(depthOf(size), TEXT, (inner) => ({ type: 'array', items: inner })),
    spec: (size) => nested<unknown>(depthOf(size), 'x', (inner) => [inner]),
  },
  'depth with rules': {
    schema: (size) =>
      nested<Schema>(depthOf(size) / 8, { ...TEXT, maxLength: 1 }, (inner) =>
        object({ a: inner }, { 'x-kubernetes-validations': [rule('has(self.a)')] }),
      ),
  },
  'depth with defaults': {
    schema: (size) =>
      nested<Schema>(depthOf(size) / 8, TEXT, (inner) => object({ a: inner }, { default: {} })),
    spec: () => ({}),
  },
  enum: {
    schema: (size) => ({
      type: 'object',
      properties: { a: { ...TEXT, enum: times(size, (i) => `e${i}`) } },
    }),
    spec: (size) => ({ a: `e${size}` }),
  },
  'enum of objects': {
    schema: (size) => object({ a: object({ b: NUMBER }, { enum: times(size, (b) => ({ b })) }) }),
    spec: () => ({ a: { b: -1 } }),
  },
  'list against an enum': {
    schema: (size) =>
      object({ a: { type: 'array', items: { ...TEXT, enum: times(size, (i) => `e${i}`) } } }),
    spec: (size) => ({ a: times(size, (i) => `e${i}`) }),
  },
  ...Object.fromEntries(
    ['allOf', 'anyOf', 'oneOf'].map((member) => [
      member,
      {
        // A response of more errors is cut.
        sizes: [64, 512, 2048],
        schema: (size: number) =>
          object({ a: { ...NUMBER, [member]: times(size, (i) => ({ minimum: i })) } }),
        spec: () => ({ a: -1 }),
      },
    ]),
  ),
  'depth of anyOf': {
    isUnpublished: true,
    schema: (size) =>
      object({
        a: {
          ...NUMBER,
          ...nested<Schema>(depthOf(size), { minimum: 1 }, (inner) => ({ anyOf: [inner] })),
        },
      }),
    spec: () => ({ a: 0 }),
  },
  'depth of not': {
    isUnpublished: true,
    schema: (size) =>
      object({
        a: {
          ...NUMBER,
          ...nested<Schema>(depthOf(size), { minimum: 1 }, (inner) => ({ not: inner })),
        },
      }),
    spec: () => ({ a: 0 }),
  },
  'list map keys': {
    schema: (size) =>
      object({
        a: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': Object.keys(named(size, Boolean)),
          items: object(
            named(size, () => TEXT),
            { required: Object.keys(named(size, Boolean)) },
          ),
        },
      }),
    spec: (size) => ({ a: [named(size, () => 'x'), named(size, () => 'y')] }),
  },
  'items of a list map': {
    schema: () =>
      object({
        a: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: object({ k: TEXT }, { required: ['k'] }),
        },
      }),
    spec: (size) => ({ a: times(size, (i) => ({ k: `k${i % 2 === 0 ? i : 1}` })) }),
  },
  'items of a set': {
    schema: () => object({ a: { type: 'array', 'x-kubernetes-list-type': 'set', items: TEXT } }),
    spec: (size) => ({ a: times(size, (i) => `k${i}`) }),
  },
  'items of a set of objects': {
    schema: () =>
      object({
        a: {
          type: 'array',
          'x-kubernetes-list-type': 'set',
          items: object({ k: NUMBER }, { 'x-kubernetes-map-type': 'atomic' }),
        },
      }),
    spec: (size) => ({ a: times(size, (k) => ({ k })) }),
  },
  'unique items': {
    schema: () => object({ a: { type: 'array', items: object({ k: NUMBER }) } }),
    spec: (size) => ({ a: times(size, (k) => ({ k })) }),
  },
  'length of a pattern': {
    schema: (size) => object({ a: { ...TEXT, pattern: 'a?'.repeat(size) } }),
    spec: () => ({ a: 'a' }),
  },
  'text of a pattern': {
    schema: () => object({ a: { ...TEXT, pattern: '^(a|b)*c$' } }),
    spec: (size) => ({ a: 'ab'.repeat(size) }),
  },
  defaults: {
    schema: (size) => object(named(size, () => ({ ...TEXT, default: 'x' }))),
    spec: () => ({}),
  },
  'size of a default': {
    schema: (size) =>
      object({ a: { type: 'array', items: NUMBER, default: times(size, (i) => i) } }),
    spec: () => ({}),
  },
  'list of defaults': {
    schema: () => object({ a: { type: 'array', items: object({ k: { ...NUMBER, default: 1 } }) } }),
    spec: (size) => ({ a: times(size, () => ({})) }),
  },
  'preserved values': {
    schema: () => ({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
    spec: (size) => ({ a: times(size, (i) => ({ [`k${i}`]: i })) }),
  },
  'embedded resources': {
    schema: () =>
      object({
        a: {
          type: 'array',
          items: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
        },
      }),
    spec: (size) => ({
      a: times(size, (i) => ({ apiVersion: 'v1', kind: 'X', metadata: { name: `n${i}` } })),
    }),
  },
  rules: {
    schema: (size) =>
      object({ a: NUMBER }, { 'x-kubernetes-validations': times(size, () => rule('self.a > 0')) }),
    spec: () => ({ a: 0 }),
  },
  'rules that are wrong': {
    schema: (size) =>
      object({ a: NUMBER }, { 'x-kubernetes-validations': times(size, () => rule('self.b > 0')) }),
  },
  'message expressions': {
    schema: (size) =>
      object(
        { a: NUMBER },
        {
          'x-kubernetes-validations': times(size, (i) =>
            rule('self.a > 0', { messageExpression: `"a" + string(self.a) + "${i}"` }),
          ),
        },
      ),
    spec: () => ({ a: 0 }),
  },
  'properties with rules': {
    schema: (size) =>
      object(named(size, () => ({ ...NUMBER, 'x-kubernetes-validations': [rule('self > 0')] }))),
    spec: (size) => named(size, () => 0),
  },
  'properties below a rule': {
    schema: (size) =>
      object(
        named(size, () => NUMBER),
        { 'x-kubernetes-validations': [rule('has(self.p0)')] },
      ),
    spec: (size) => named(size, () => 0),
  },
  'wrong properties with rules': {
    schema: (size) =>
      object(named(size, () => ({ type: 'odd', 'x-kubernetes-validations': [rule('self > 0')] }))),
  },
  'list with rules': {
    schema: () =>
      object({
        a: {
          type: 'array',
          maxItems: 1000,
          items: { ...NUMBER, 'x-kubernetes-validations': [rule('self >= 0')] },
        },
      }),
    spec: (size) => ({ a: times(size, (i) => i) }),
  },
  'columns of a definition': {
    schema: () => object({ a: NUMBER }),
    more: (size) => ({
      additionalPrinterColumns: times(size, (i) => ({
        name: `c${i}`,
        type: 'integer',
        jsonPath: '.spec.a',
      })),
    }),
    spec: () => ({ a: 0 }),
  },
  'path of a column': {
    schema: () => object({ a: NUMBER }),
    more: (size) => ({
      additionalPrinterColumns: [{ name: 'c', type: 'string', jsonPath: '.a'.repeat(size) }],
    }),
    spec: () => ({ a: 0 }),
  },
  // Eight are allowed: every size is rejected, so that the sizes compare.
  'selectable fields': {
    schema: (size) => object(named(size + 8, () => TEXT)),
    more: (size) => ({
      selectableFields: times(size + 8, (i) => ({ jsonPath: `.spec.p${i}` })),
    }),
  },
}

function ofConstruct(
  name: string,
  { schema, spec, more, sizes, isUnpublished }: Construct,
): Probe[] {
  const at = sizes === undefined ? {} : { sizes }
  const sent = (size: number) => definition([version(schema(size), more?.(size))])
  const probes: Probe[] = [
    {
      name: `definition: ${name}`,
      ...at,
      async prepare(size, fail) {
        const { send, pass } = target(fail)
        return async () => {
          const created = await send({ method: 'POST', path: DEFINITIONS, body: sent(size) })
          await pass(5)
          if (isUnpublished) return created
          const openapi = await send({ path: '/openapi/v3/apis/example.com/v1' })
          return created + openapi
        }
      },
    },
  ]
  if (spec)
    probes.push({
      name: `custom object: ${name}`,
      ...at,
      async prepare(size, fail) {
        const { send, pass } = target(fail)
        await send({ method: 'POST', path: DEFINITIONS, body: sent(size) })
        await pass(5)
        const body = widget(spec(size))
        const changed = { ...body, metadata: { name: 'w', labels: { a: 'b' } } }
        return async () =>
          [
            await send({ method: 'POST', path: OBJECTS, body }),
            await send({ method: 'PUT', path: `${OBJECTS}/w`, body: changed }),
            await send({
              path: OBJECTS,
              headers: [['accept', 'application/json;as=Table;g=meta.k8s.io;v=v1']],
            }),
          ].join('')
      },
    })
  return probes
}

const whole = (name: string, body: (size: number) => object, more: string[] = []): Probe => ({
  name: `definition: ${name}`,
  async prepare(size, fail) {
    const { send, pass } = target(fail)
    const create = async () => {
      const created = await send({ method: 'POST', path: DEFINITIONS, body: body(size) })
      await pass(5)
      return created
    }
    return async () => {
      const responses = [await create()]
      for (const path of ['/apis/example.com', '/openapi/v3', ...more])
        responses.push(await send({ path }))
      const path = `${DEFINITIONS}/widgets.example.com`
      return [...responses, await send({ method: 'DELETE', path })].join('')
    }
  },
})

export const DEFINITION_PROBES: readonly Probe[] = [
  ...Object.entries(CONSTRUCTS).flatMap(([name, construct]) => ofConstruct(name, construct)),
  whole(
    'versions',
    (size) =>
      definition(
        times(size, (i) => ({
          ...version(object({ a: TEXT })),
          name: `v${i + 1}`,
          storage: i === 0,
        })),
      ),
    // The document depends on the versions, so that no cache has it.
    ['/openapi/v2'],
  ),
  whole('versions of one name', (size) =>
    definition(times(size, (i) => ({ ...version(object({ a: TEXT })), storage: i === 0 }))),
  ),
  whole('short names', (size) =>
    definition([version(object({}))], {
      names: { plural: 'widgets', kind: 'Widget', shortNames: times(size, (i) => `w${i}`) },
    }),
  ),
  whole('categories', (size) =>
    definition([version(object({}))], {
      names: { plural: 'widgets', kind: 'Widget', categories: times(size, (i) => `w${i}`) },
    }),
  ),
]
