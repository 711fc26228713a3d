import fc from 'fast-check'
import type { Json } from '../../../src/engine/core/object'
import { type FuzzRequest, NAMESPACE } from '../corpus'
import { play } from '../fuzz'
import { checkPrototypes, type FuzzTarget, NAMES, nested } from './target'
import { jsonText } from './texts'

const odd = fc.constantFrom<Json>(
  null,
  '',
  0,
  -1,
  1e21,
  {},
  [],
  [null],
  'object',
  true,
  { type: 'object' },
  { $ref: '#' },
)
const number = fc.constantFrom<Json>(0, 1, -1, 1.5, 2 ** 53, 1e300, 'x')
const pattern = fc.constantFrom(
  '^a+$',
  '(a*)*b',
  '(a|aa)+$',
  '[',
  '(?<n>a)',
  'a{1000}{1000}',
  '\\p{L}',
  '(?=a)',
  '('.repeat(300),
  '((a{100}){100}){100}',
  '.*'.repeat(50),
)
const rule = fc.constantFrom(
  'self.size() > 1', 'self.all(x, self.all(y, x == y))', 'oldSelf == self', "self.matches('(a*)*b')", '('.repeat(200), 'self.a.b.c', '1', "self.__proto__ == 'a'",
  'self.map(x, self.map(y, self.map(z, [x, y, z])))', "has(self.a) && self.a.startsWith('a')", '',
) // biome-ignore format: one table

/** Structural schemas, and what looks like them. */
const schema: fc.Arbitrary<Json> = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom<Json>(
      { type: 'string' },
      { type: 'integer' },
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      { 'x-kubernetes-int-or-string': true },
    ),
    fc
      .record(
        {
          type: fc.constantFrom<Json>(
            'object',
            'array',
            'string',
            'integer',
            'number',
            'boolean',
            'frob',
            null,
          ),
          properties: fc
            .array(fc.tuple(fc.constantFrom(...NAMES), tie('any')), { maxLength: 3 })
            .map((members) => Object.fromEntries(members) as Json),
          items: tie('any'),
          additionalProperties: fc.oneof(tie('any'), fc.boolean()),
          default: fc.oneof(
            odd,
            jsonText.map((text) => JSON.parse(text) as Json),
          ),
          enum: fc.array(odd, { maxLength: 3 }),
          pattern,
          format: fc.constantFrom('date-time', 'byte', 'email', 'x', ''),
          minimum: number,
          maxLength: number,
          required: fc.array(fc.constantFrom(...NAMES), { maxLength: 2 }),
          not: tie('any'),
          oneOf: fc.array(tie('any'), { maxLength: 2 }),
          nullable: fc.boolean(),
          'x-kubernetes-preserve-unknown-fields': fc.boolean(),
          'x-kubernetes-embedded-resource': fc.boolean(),
          'x-kubernetes-list-type': fc.constantFrom('map', 'set', 'atomic', 'x'),
          'x-kubernetes-list-map-keys': fc.array(fc.constantFrom(...NAMES), { maxLength: 2 }),
          'x-kubernetes-validations': fc.array(
            rule.map((text) => ({ rule: text, message: 'no' })),
            { maxLength: 2 },
          ),
        },
        { requiredKeys: [] },
      )
      .map((members) => members as Json),
  ),
})).any

const columnPath = fc.constantFrom(
  '.spec.a',
  '.spec..a',
  `.spec${'..*'.repeat(30)}`,
  '.spec[?(@.a=="b")].c',
  `${'[?(@'.repeat(200)}`,
  '.spec[',
  '{}',
  '[0]'.repeat(2000),
)

const definitionOf = (root: Json, path: string): Json => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: path }],
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: root } } },
      },
    ],
  },
})

const request = (
  method: string,
  target: string,
  body?: string,
  headers: Record<string, string> = {},
): FuzzRequest => ({
  method,
  target,
  headers: { 'content-type': 'application/json', ...headers },
  body: body === undefined ? undefined : new TextEncoder().encode(body),
})

const THINGS = `/apis/example.com/v1/namespaces/${NAMESPACE}/things`
const thing = (name: string, spec: string) =>
  `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"${name}"},"spec":${spec}}`
const apply = { 'content-type': 'application/apply-patch+yaml' }

export const schemas: FuzzTarget = {
  name: 'schemas',
  what: 'schemas, rules and columns of definitions, and objects under them, sent to a server',
  short: 60,
  property: fc.asyncProperty(
    fc.record({
      root: fc.oneof(
        { weight: 9, arbitrary: schema },
        {
          weight: 1,
          arbitrary: fc
            .constantFrom(100, 260, 2_000)
            .map(
              (levels) =>
                JSON.parse(
                  nested('{"type":"object","properties":{"a":', '}}', levels, '{}'),
                ) as Json,
            ),
        },
      ),
      path: columnPath,
      specs: fc.array(
        fc.oneof(
          jsonText,
          fc.constantFrom(nested('{"a":', '}', 490, '1'), nested('[', ']', 1500, '')),
        ),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
    }),
    async ({ root, path, specs }) => {
      await play([
        request(
          'POST',
          '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
          JSON.stringify(definitionOf(root, path)),
        ),
        request('GET', '/apis/example.com/v1'),
        ...specs.flatMap((spec, i) => [
          request('POST', THINGS, thing(`t${i}`, spec)),
          request('PATCH', `${THINGS}/t${i}`, `{"spec":${spec}}`, {
            'content-type': 'application/merge-patch+json',
          }),
          request(
            'PATCH',
            `${THINGS}/t${i}?fieldManager=me&force=true`,
            thing(`t${i}`, spec),
            apply,
          ),
        ]),
        request('GET', THINGS, undefined, {
          accept: 'application/json;as=Table;g=meta.k8s.io;v=v1',
        }),
        request('GET', '/openapi/v3/apis/example.com/v1'),
      ])
      checkPrototypes()
    },
  ),
}
