/** Every line of an object's YAML has the owners of its field. */
import { assert, constantFrom, dictionary, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type OwnedLine, ownedLines } from '../../../src/app/features/ownership/lines'
import { claimsOf } from '../../../src/app/features/ownership/owners'
import type { KubeObject } from '../../../src/engine/core/object'
import { builtinModel } from '../../../src/engine/schema/builtin'
import { sendRequest, testServer } from '../../support/server'
import { applied, DEPLOYMENTS, deployment, managed, WEB } from './support'

const TYPE = builtinModel().byKind('apps', 'v1', 'Deployment')
const linesOf = (object: KubeObject): OwnedLine[] => ownedLines(object, claimsOf(object))

/** `ci,kubectl` for each line, by its trimmed text. */
const byText = (lines: OwnedLine[]) =>
  Object.fromEntries(
    lines.map(({ text, claims, state }) => [
      text.trim(),
      [...new Set(claims.map(({ owner }) => owner.name))].sort().join() || state,
    ]),
  )

async function web(): Promise<KubeObject> {
  const server = testServer()
  await applied(server, `${DEPLOYMENTS}/web`, deployment(WEB), { manager: 'alice' })
  const { replicas: _replicas, ...rest } = WEB
  await applied(
    server,
    `${DEPLOYMENTS}/web`,
    deployment({
      selector: rest.selector,
      template: { spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } },
    }),
    {
      manager: 'ci',
    },
  )
  const body = { spec: { replicas: 5 } }
  await sendRequest(server, {
    method: 'PATCH',
    path: `${DEPLOYMENTS}/web?fieldManager=hpa`,
    body,
    headers: { 'content-type': 'application/merge-patch+json' },
  })
  return (await sendRequest(server, { path: `${DEPLOYMENTS}/web` })).json
}

describe('a deployment of three managers', () => {
  it('shows owners, co-owners, defaults and fields that cannot be owned', async () => {
    const object = await web()
    const lines = byText(ownedLines(object, claimsOf(object, TYPE)))
    expect(lines).toMatchObject({
      'apiVersion: apps/v1': 'server',
      'metadata:': 'structure',
      'name: web': 'server',
      'spec:': 'structure',
      'replicas: 5': 'hpa',
      'progressDeadlineSeconds: 600': 'unowned',
      '- name: web': 'alice,ci',
      'image: nginx:1.27': 'alice,ci',
      'imagePullPolicy: IfNotPresent': 'unowned',
      '- containerPort: 80': 'alice',
      'protocol: TCP': 'unowned',
      'emptyDir: {}': 'alice',
      'status: {}': 'unowned',
    })
    expect(Object.keys(lines).some((text) => text.startsWith('managedFields'))).toBe(false)
  })

  it('brackets what is atomic: a selector, and a list of arguments', async () => {
    const object = await web()
    const lines = ownedLines(object, claimsOf(object, TYPE))
    const pieces = lines.flatMap(({ text, piece, claims }) =>
      piece ? [`${piece} ${text.trim()} ${claims.map(({ owner }) => owner.name).sort()}`] : [],
    )
    expect(pieces).toEqual([
      'first selector: alice,ci',
      'inner matchLabels: alice,ci',
      'inner app: web alice,ci',
      'last tier: front alice,ci',
      'first args: alice',
      'inner - -g alice',
      'last - daemon off; alice',
    ])
  })
})

it('does not bracket a map that one manager owns and the type divides', () => {
  const entry = {
    manager: 'alice',
    operation: 'Apply',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': {} },
  }
  const object = managed([entry], { data: { x: '1' } })
  const lines = ownedLines(object, claimsOf(object, builtinModel().byKind('', 'v1', 'ConfigMap')))
  expect(lines.map(({ piece }) => piece).filter(Boolean)).toEqual([])
  expect(byText(lines)).toMatchObject({ 'data:': 'alice', 'x: "1"': 'unowned' })
})

describe('objects of which the page knows no type', () => {
  const own = (manager: string, fieldsV1: unknown) => ({
    manager,
    operation: 'Apply',
    apiVersion: 'example.com/v1',
    fieldsType: 'FieldsV1',
    fieldsV1,
  })

  it('count a leaf with something in it as one piece, unless a part is owned', () => {
    const spec = { whole: { a: 1, b: 2 }, parts: { c: 3 }, list: [1, 2] }
    const object = managed(
      [
        own('alice', { 'f:spec': { 'f:whole': {}, 'f:parts': {}, 'f:list': {} } }),
        own('bob', { 'f:spec': { 'f:parts': { 'f:c': {} } } }),
      ],
      { spec },
    )
    const lines = linesOf(object)
    expect(byText(lines)).toMatchObject({
      'whole:': 'alice',
      'a: 1': 'alice',
      'parts:': 'alice',
      'c: 3': 'bob',
      '- 2': 'alice',
    })
    expect(lines.filter(({ piece }) => piece === 'first').map(({ text }) => text.trim())).toEqual([
      'whole:',
      'list:',
    ])
  })

  it('show items of sets, and items by position', () => {
    const object = managed(
      [own('alice', { 'f:set': { 'v:"p"': {} } }), own('bob', { 'f:list': { 'i:1': {} } })],
      {
        set: ['o', 'p'],
        list: [7, 8],
      },
    )
    expect(byText(linesOf(object))).toMatchObject({
      '- o': 'unowned',
      '- p': 'alice',
      '- 7': 'unowned',
      '- 8': 'bob',
    })
  })

  it('pass over claims of what is not there', () => {
    const object = managed([own('alice', { 'f:gone': {}, 'f:list': { 'k:{"name":"x"}': {} } })], {
      list: [],
    })
    expect(byText(linesOf(object))).toMatchObject({ 'list: []': 'unowned' })
  })

  it('treat the lines of a long text as one value', () => {
    const object = managed([own('alice', { 'f:data': { 'f:text': {} } })], {
      data: { text: 'one\ntwo: 2\n\n- three\n' },
    })
    const lines = linesOf(object).slice(5)
    expect(lines.map(({ text }) => text.trim())).toEqual([
      'text: |',
      'one',
      'two: 2',
      '',
      '- three',
    ])
    expect(new Set(lines.map(({ claims }) => claims[0]?.owner.name))).toEqual(new Set(['alice']))
  })
})

it('gives each owned line of any map its owner, and no other', () => {
  const data = dictionary(string({ minLength: 1 }), string(), { minKeys: 1, maxKeys: 6 })
  const owners = constantFrom('alice', 'bob', 'both', 'unowned')
  assert(
    property(data, dictionary(string(), owners), (values, chosen) => {
      const ownerOf = (key: string) =>
        (Object.hasOwn(chosen, key) ? chosen[key] : undefined) ??
        ['alice', 'bob', 'both', 'unowned'][key.length % 4]
      const fieldsOf = (name: string) =>
        Object.fromEntries(
          Object.keys(values).flatMap((key) =>
            [name, 'both'].includes(ownerOf(key) as string) ? [[`f:${key}`, {}]] : [],
          ),
        )
      const entry = (manager: string) => ({
        manager,
        operation: 'Apply',
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, ...fieldsOf(manager) } },
      })
      const lines = linesOf(managed([entry('alice'), entry('bob')], { data: values }))
      expect(parse(lines.map(({ text }) => text).join('\n'))).toMatchObject({ data: values })
      for (const { place, claims } of lines) {
        if (place[0] !== 'data' || place.length < 2) continue
        const expected = { alice: ['alice'], bob: ['bob'], both: ['alice', 'bob'], unowned: [] }[
          ownerOf(String(place[1])) as 'alice'
        ]
        expect(claims.map(({ owner }) => owner.name)).toEqual(expected)
      }
    }),
  )
})
