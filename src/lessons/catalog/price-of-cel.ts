import type { Lesson } from '../lesson'

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const MENUS = '/apis/example.com/v1/namespaces/shop/menus'

const definition = (dishes: object) => ({
  metadata: { name: 'menus.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'menus', singular: 'menu', kind: 'Menu', listKind: 'MenuList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { dishes: { type: 'array', items: { type: 'string' }, ...dishes } },
              },
            },
          },
        },
      },
    ],
  },
})
const rule = {
  'x-kubernetes-validations': [
    { rule: 'self.all(a, self.exists_one(b, a == b))', message: 'each dish once' },
  ],
}
const bounded = definition({ ...rule, maxItems: 50, items: { type: 'string', maxLength: 40 } })

export const priceOfCel: Lesson = {
  id: 'price-of-cel',
  title: 'CEL cost limits',
  minutes: 8,
  about:
    'Understand why the server rejects a rule before it runs, and how size limits keep its estimated cost within the budget.',
  rules:
    'Common Expression Language in Kubernetes: resource constraints: https://kubernetes.io/docs/reference/using-api/cel/#resource-constraints',
  story: `A menu must not name a dish twice. The rule is quickly written: for each dish there is exactly one like it. But it compares every pair, and the list has no maximum size. The server estimates the worst case, before the first menu is created.`,
  start: {
    objects: 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n',
    files: [
      {
        title: 'menus.yaml',
        language: 'yaml',
        text: `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: menus.example.com
spec:
  group: example.com
  scope: Namespaced
  names: { plural: menus, singular: menu, kind: Menu, listKind: MenuList }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                dishes:
                  type: array
                  items: { type: string }
                  x-kubernetes-validations:
                    - rule: self.all(a, self.exists_one(b, a == b))
                      message: each dish once
`,
      },
    ],
  },
  steps: [
    {
      title: 'Over budget',
      text: 'Create the CRD in menus.yaml. The server rejects it with 422: the estimated cost exceeds the budget, and the message states by how much.',
      hints: [
        'Just try.',
        'Create or apply menus.yaml.',
        `POST ${DEFINITIONS} with the manifest: 422.`,
      ],
      checks: [
        {
          kind: 'request',
          is: { resource: 'customresourcedefinitions', code: 422, message: 'cost' },
          says: 'The CRD was rejected for its cost.',
        },
      ],
      solution: [{ method: 'POST', path: DEFINITIONS, body: definition(rule), status: 422 }],
    },
    {
      title: 'Add size limits',
      text: 'Keep the rule, but limit its input: the number of dishes, and the length of their names. Then the CRD is accepted.',
      hints: [
        'The schema has keywords for sizes.',
        'maxItems on the array, maxLength on its items.',
        'maxItems: 50 and items: { type: string, maxLength: 40 }.',
      ],
      checks: [
        {
          kind: 'object',
          path: `${DEFINITIONS}/menus.example.com`,
          is: { status: { conditions: [{ type: 'Established', status: 'True' }] } },
          says: 'The definition is there and served.',
        },
      ],
      solution: [{ method: 'POST', path: DEFINITIONS, body: bounded }],
    },
    {
      title: 'The rule at work',
      text: 'Create a Menu lunch that names soup twice: 422, each dish once. Then create a valid one.',
      hints: [
        'It is an object like any other, of the group example.com.',
        'spec.dishes is a list of strings.',
        `POST ${MENUS} with {"metadata":{"name":"lunch"},"spec":{"dishes":["soup","cake"]}}.`,
      ],
      checks: [
        {
          kind: 'request',
          is: { resource: 'menus', code: 422 },
          says: 'A duplicate dish was rejected.',
        },
        {
          kind: 'object',
          path: `${MENUS}/lunch`,
          is: { spec: { dishes: ['/./'] } },
          says: 'The menu lunch is there.',
        },
      ],
      solution: [
        {
          method: 'POST',
          path: MENUS,
          body: {
            apiVersion: 'example.com/v1',
            kind: 'Menu',
            metadata: { name: 'lunch' },
            spec: { dishes: ['soup', 'soup'] },
          },
          status: 422,
        },
        {
          method: 'POST',
          path: MENUS,
          body: {
            apiVersion: 'example.com/v1',
            kind: 'Menu',
            metadata: { name: 'lunch' },
            spec: { dishes: ['soup', 'cake'] },
          },
        },
      ],
    },
  ],
  wrong: [
    { method: 'POST', path: DEFINITIONS, body: definition(rule), status: 422 },
    // Without the rule the server accepts everything.
    { method: 'POST', path: DEFINITIONS, body: definition({}) },
    {
      method: 'POST',
      path: MENUS,
      body: {
        apiVersion: 'example.com/v1',
        kind: 'Menu',
        metadata: { name: 'lunch' },
        spec: { dishes: ['soup', 'soup'] },
      },
    },
  ],
  after:
    'There is a cheaper way: x-kubernetes-list-type: set. How does the server respond to a duplicate dish then?',
}
