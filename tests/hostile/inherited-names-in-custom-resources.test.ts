/** A property of a custom resource may have the name of what every JavaScript object inherits. */
import { describe, expect, it } from 'vitest'
import { NAME_PAIRS, type SentRequest, ServerPair } from './same-for-any-name'

const PATH = '/apis/example.com/v1/namespaces/default/widgets'
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

const ITEM = { type: 'object', properties: { id: { type: 'string' }, n: { type: 'integer' } } }

/** Uses a name as a property with a default, a required one, a key of a list, a column, a selectable field and in CEL rules. */
function definition(name: string) {
  const keyed = {
    ...ITEM,
    properties: { [name]: { type: 'string' }, n: { type: 'integer' } },
    required: [name],
  }
  const spec = {
    type: 'object',
    properties: {
      plain: { type: 'object', properties: { [name]: { type: 'string' } } },
      defaulted: {
        type: 'object',
        default: {},
        properties: { [name]: { type: 'string', default: 'd' } },
      },
      needed: { type: 'object', properties: { [name]: { type: 'integer' } }, required: [name] },
      list: {
        type: 'array',
        items: keyed,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': [name],
      },
      map: { type: 'object', additionalProperties: { type: 'string', enum: ['a', name] } },
      open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      ruled: {
        type: 'object',
        properties: { [name]: { type: 'integer' } },
        'x-kubernetes-validations': [
          {
            rule: `!has(self.${escaped(name)}) || self.${escaped(name)} < 5`,
            message: 'too large',
          },
        ],
      },
    },
  }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
          additionalPrinterColumns: [
            { name: 'Plain', type: 'string', jsonPath: `.spec.plain.${name}` },
          ],
          selectableFields: [{ jsonPath: `.spec.plain.${name}` }],
        },
      ],
    },
  }
}

/** CEL names escape two underscores (kubernetes.io, "Validation rules"). */
const escaped = (name: string): string => name.replaceAll('__', '__underscores__')

const own = (name: string, value: unknown) => Object.fromEntries([[name, value]])

const widget = (spec: object) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'default' },
  spec,
})

function patch(type: string, body: object): SentRequest {
  const query = type === 'apply-patch+yaml' ? '?fieldManager=m&force=true' : ''
  return {
    method: 'PATCH',
    target: `${PATH}/w${query}`,
    headers: { 'content-type': `application/${type}` },
    body,
  }
}

const post = (body: object): SentRequest => ({ method: 'POST', target: PATH, body })

const REQUESTS: [what: string, request: (name: string) => SentRequest][] = [
  ['a required property that is missing', () => post(widget({ needed: {} }))],
  [
    'an object without any of the properties',
    () => post(widget({ plain: {}, defaulted: {}, map: {}, open: {}, ruled: {}, list: [] })),
  ],
  [
    'a merge patch that adds it',
    (name) =>
      patch('merge-patch+json', widget({ plain: own(name, 'x'), open: own(name, { a: 1 }) })),
  ],
  [
    'a merge patch of an unknown one',
    (name) => patch('merge-patch+json', widget({ unknown: own(name, 'x'), ...own(name, 1) })),
  ],
  ['a wrong type', (name) => patch('merge-patch+json', widget({ plain: own(name, 1) }))],
  ['a rule that holds', (name) => patch('merge-patch+json', widget({ ruled: own(name, 4) }))],
  ['a rule that fails', (name) => patch('merge-patch+json', widget({ ruled: own(name, 5) }))],
  [
    'an apply of it',
    (name) =>
      patch(
        'apply-patch+yaml',
        widget({ plain: own(name, 'y'), list: [{ ...own(name, 'k'), n: 1 }], map: own(name, 'a') }),
      ),
  ],
  ['an apply without it', () => patch('apply-patch+yaml', widget({ plain: {}, map: { b: 'a' } }))],
  [
    'a key of a list',
    (name) => patch('apply-patch+yaml', widget({ list: [own(name, 'k'), own(name, 'k')] })),
  ],
  ['a list item without its key', () => patch('merge-patch+json', widget({ list: [{ n: 1 }] }))],
  ['a key of a map', (name) => patch('merge-patch+json', widget({ map: own(name, name) }))],
  [
    'a value outside of an enum',
    (name) => patch('merge-patch+json', widget({ map: own(name, 'b') })),
  ],
  [
    'a JSON patch that adds it',
    (name) => patch('json-patch+json', [{ op: 'add', path: `/spec/open/${name}`, value: 1 }]),
  ],
  [
    'a JSON patch that tests it',
    (name) =>
      patch('json-patch+json', [{ op: 'test', path: `/spec/plain/${name}`, value: 'none' }]),
  ],
  [
    'a JSON patch that removes it',
    (name) => patch('json-patch+json', [{ op: 'remove', path: `/spec/needed/${name}` }]),
  ],
  [
    'a table',
    () => ({
      method: 'GET',
      target: PATH,
      headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
    }),
  ],
  [
    'a field selector',
    (name) => ({ method: 'GET', target: `${PATH}?fieldSelector=spec.plain.${name}%3Dx` }),
  ],
  [
    'a field selector of another field',
    (name) => ({ method: 'GET', target: `${PATH}?fieldSelector=${name}%3Dx` }),
  ],
  ['OpenAPI', () => ({ method: 'GET', target: '/openapi/v3/apis/example.com/v1' })],
  ['a deletion', () => ({ method: 'DELETE', target: `${PATH}/w` })],
]

describe.each(NAME_PAIRS)('a property named %s', (...names) => {
  it('is validated, defaulted, merged, owned, selected and shown as others are', async () => {
    const servers = new ServerPair()
    const created = await servers.send(names, (name) => ({
      method: 'POST',
      target: DEFINITIONS,
      body: definition(name),
    }))
    expect(created.actual).toBe(created.expected)
    for (const [what, request] of REQUESTS) {
      const { actual, expected } = await servers.send(names, request)
      expect(actual, what).toBe(expected)
    }
  })
})
