/** Client-side apply: what the patch holds, and that the server's own patch code makes of it what was wanted. */
import {
  array,
  assert,
  constantFrom,
  dictionary,
  integer,
  option,
  property,
  record,
  uniqueArray,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lastApplied, threeWayPatch, withLastApplied } from '../../src/console/three-way'
import { ANNOTATION } from '../../src/engine/core/names'
import { isJsonObject, type Json, type JsonObject } from '../../src/engine/core/object'
import { applyMergePatch } from '../../src/engine/patch/merge-patch'
import { applyStrategicMergePatch } from '../../src/engine/patch/strategic-merge-patch'
import { builtinModel } from '../../src/engine/schema/builtin'
import type { StructType } from '../../src/engine/schema/model'

const typeOf = (group: string, kind: string) =>
  builtinModel().byKind(group, 'v1', kind) as StructType
const deployment = typeOf('apps', 'Deployment')
const serviceAccount = typeOf('', 'ServiceAccount')

const withPod = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } })

describe('the last-applied annotation', () => {
  it('holds the manifest with its keys sorted, without itself, and a line break', () => {
    const manifest = {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'a', annotations: { [ANNOTATION.lastApplied]: 'old' } },
    }
    const { metadata } = withLastApplied(manifest)
    expect((metadata as JsonObject).annotations).toEqual({
      [ANNOTATION.lastApplied]:
        '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"annotations":{},"name":"a"}}\n',
    })
  })

  it('is read back; a broken one counts as none', () => {
    const manifest = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
      data: { k: 'v' },
    }
    expect(lastApplied(withLastApplied(manifest))).toEqual({
      ...manifest,
      metadata: { name: 'a', annotations: {} },
    })
    expect(lastApplied({ metadata: { annotations: { [ANNOTATION.lastApplied]: '{' } } })).toEqual(
      {},
    )
    expect(lastApplied({})).toEqual({})
  })
})

describe('what the patch holds', () => {
  it('is nothing where the live object has all that is wanted', () => {
    expect(
      threeWayPatch(
        {},
        { spec: { replicas: 3 } },
        { spec: { replicas: 3, paused: true } },
        deployment,
      ),
    ).toEqual({})
  })

  it('keeps fields of other managers, and deletes fields applied before', () => {
    const original = { spec: { replicas: 3, minReadySeconds: 5 } }
    const live = { spec: { replicas: 3, minReadySeconds: 5, revisionHistoryLimit: 10 } }
    expect(threeWayPatch(original, { spec: { replicas: 4 } }, live, deployment)).toEqual({
      spec: { replicas: 4, minReadySeconds: null },
    })
  })

  it('merges containers by name, deletes those that were applied, and sends their order', () => {
    const original = withPod({ containers: [{ name: 'a', image: 'a:1' }, { name: 'gone' }] })
    const live = withPod({
      containers: [
        { name: 'a', image: 'a:1', imagePullPolicy: 'Always' },
        { name: 'gone' },
        { name: 'injected' },
      ],
    })
    const modified = withPod({ containers: [{ name: 'a', image: 'a:2' }, { name: 'b' }] })
    expect(threeWayPatch(original, modified, live, deployment)).toEqual(
      withPod({
        containers: [
          { name: 'a', image: 'a:2' },
          { name: 'b' },
          { $patch: 'delete', name: 'gone' },
        ],
        '$setElementOrder/containers': [{ name: 'a' }, { name: 'b' }],
      }),
    )
  })

  it('sends only the order when nothing else changed', () => {
    const live = withPod({ containers: [{ name: 'a' }, { name: 'b' }] })
    expect(
      threeWayPatch({}, withPod({ containers: [{ name: 'b' }, { name: 'a' }] }), live, deployment),
    ).toEqual(withPod({ '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] }))
  })

  it('drops the alternative that a volume or a strategy no longer uses', () => {
    const live = {
      spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } } },
    }
    expect(
      threeWayPatch({}, { spec: { strategy: { type: 'Recreate' } } }, live, deployment),
    ).toEqual({
      spec: { strategy: { type: 'Recreate', $retainKeys: ['type'] } },
    })
    const volumes = (source: JsonObject) => withPod({ volumes: [{ name: 'v', ...source }] })
    const patch = threeWayPatch(
      {},
      volumes({ emptyDir: {} }),
      volumes({ hostPath: { path: '/x' } }),
      deployment,
    )
    expect(patch).toEqual(
      withPod({
        volumes: [{ name: 'v', emptyDir: {}, $retainKeys: ['emptyDir', 'name'] }],
        '$setElementOrder/volumes': [{ name: 'v' }],
      }),
    )
  })

  it('adds to and deletes from lists of plain values', () => {
    const finalizers = (...names: string[]): JsonObject => ({ metadata: { finalizers: names } })
    expect(
      threeWayPatch(
        finalizers('a/x', 'a/old'),
        finalizers('a/x', 'a/new'),
        finalizers('a/x', 'a/old', 'b/y'),
        deployment,
      ),
    ).toEqual({
      metadata: {
        finalizers: ['a/new'],
        '$deleteFromPrimitiveList/finalizers': ['a/old'],
        '$setElementOrder/finalizers': ['a/x', 'a/new'],
      },
    })
  })

  it('replaces lists that have no merge strategy, and all lists of kinds without a type', () => {
    expect(threeWayPatch({}, { args: ['b'] }, { args: ['a'] }, undefined)).toEqual({ args: ['b'] })
    const command = (...words: string[]) => withPod({ containers: [{ name: 'a', command: words }] })
    expect(threeWayPatch({}, command('b'), command('a'), deployment)).toMatchObject(command('b'))
  })
})

describe('whatever the three states are', () => {
  const names = ['a', 'b', 'c', 'd']
  const container = record({
    name: constantFrom(...names),
    image: constantFrom('x', 'y'),
    tty: option(constantFrom(true, false), { nil: undefined }),
  })
  const pod = record(
    {
      containers: uniqueArray(container, { selector: ({ name }) => name, minLength: 1 }),
      nodeSelector: dictionary(constantFrom(...names), constantFrom('1', '2')),
      tolerations: array(record({ key: constantFrom(...names) }), { maxLength: 3 }),
      terminationGracePeriodSeconds: integer({ min: 0, max: 2 }),
    },
    { requiredKeys: [] },
  )
  const metadata = record({ finalizers: uniqueArray(constantFrom(...names)) }, { requiredKeys: [] })
  const manifest = record({ metadata, spec: record({ template: record({ spec: pod }) }) })
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as JsonObject

  it('the patched object has all of the manifest, and nothing that only the last manifest had', () => {
    assert(
      property(manifest, manifest, manifest, (first, second, third) => {
        const [original, modified, live] = [plain(first), plain(second), plain(third)]
        const result = applyStrategicMergePatch(
          live,
          threeWayPatch(original, modified, live, deployment),
          deployment,
        ) as JsonObject
        expectWithin(modified, result, original)
        expect(threeWayPatch(modified, modified, result, deployment)).toEqual({})
      }),
    )
  })

  it('a merge patch does the same without a type', () => {
    assert(
      property(manifest, manifest, manifest, (first, second, third) => {
        const [original, modified, live] = [plain(first), plain(second), plain(third)]
        const result = applyMergePatch(
          live,
          threeWayPatch(original, modified, live, undefined),
        ) as JsonObject
        expectWithin(modified, result, original)
      }),
    )
  })

  /** Every member of the manifest is in the result; members of the last manifest alone are not. Lists: every item is found. */
  function expectWithin(wanted: Json, result: Json | undefined, last: Json | undefined): void {
    if (isJsonObject(wanted)) {
      const target = result as JsonObject
      for (const [name, value] of Object.entries(wanted))
        expectWithin(value, target[name], isJsonObject(last) ? last[name] : undefined)
      if (isJsonObject(last))
        for (const name of Object.keys(last))
          if (!(name in wanted)) expect(target).not.toHaveProperty([name])
    } else if (Array.isArray(wanted)) {
      const target = result as Json[]
      for (const item of wanted) {
        const same =
          isJsonObject(item) && 'name' in item
            ? target.find((other) => isJsonObject(other) && other.name === item.name)
            : undefined
        if (same) expectWithin(item, same, undefined)
        else expect(target).toContainEqual(item)
      }
    } else expect(result).toEqual(wanted)
  }
})

it('merges the secrets of a service account and replaces its pull secrets, as their patch strategies require', () => {
  const live = { secrets: [{ name: 'a' }, { name: 'b' }], imagePullSecrets: [{ name: 'a' }] }
  const patch = threeWayPatch(
    {},
    { secrets: [{ name: 'c' }], imagePullSecrets: [{ name: 'c' }] },
    live,
    serviceAccount,
  )
  const result = applyStrategicMergePatch(live, patch, serviceAccount) as JsonObject
  expect((result.secrets as JsonObject[]).map(({ name }) => name).sort()).toEqual(['a', 'b', 'c'])
})
