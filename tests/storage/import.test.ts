import { expect, it } from 'vitest'
import { storable, storables } from '../../src/engine/server/keys'

it('stores an imported object in canonical form with its uid', () => {
  const { key, object } = storable({
    data: { b: '2', a: '1' },
    metadata: { uid: 'its-own', namespace: 'default', name: 'web' },
    kind: 'ConfigMap',
    apiVersion: 'v1',
  })
  expect(key).toBe('/registry/configmaps/default/web')
  expect(JSON.stringify(object)).toBe(
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"web","namespace":"default","uid":"its-own","resourceVersion":"0","creationTimestamp":null},"data":{"a":"1","b":"2"}}',
  )
})

it('rejects an object of a kind that is not served, by name', () => {
  expect(() => storable({ kind: 'Spaceship', apiVersion: 'v1', metadata: { name: 'x' } })).toThrow(
    'v1 Spaceship is not served here',
  )
})

it('stores a custom resource under the key of the imported definition', () => {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'ships.example.org' },
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { kind: 'Ship', plural: 'ships' },
      versions: [],
    },
  }
  const ship = {
    apiVersion: 'example.org/v1',
    kind: 'Ship',
    metadata: { name: 'argo', namespace: 'default' },
    spec: { oars: 50 },
  }
  const [, stored] = storables([definition, ship])
  expect(stored?.key).toBe('/registry/example.org/ships/default/argo')
  expect(stored?.object.spec).toEqual({ oars: 50 })
  expect(() => storables([ship])).toThrow('example.org/v1 Ship is not served here')
})
