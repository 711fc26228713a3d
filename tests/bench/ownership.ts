/**
 * What field ownership and patches cost by themselves, without a server around them:
 *     npx tsx tests/bench/ownership.ts
 * Prints microseconds per operation; the second half shows how the cost grows with the number of list items.
 */

import { applyPatch, updateManagedFields, type Write } from '../../src/engine/apply/managers'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { applyMergePatch } from '../../src/engine/patch/merge-patch'
import { applyStrategicMergePatch } from '../../src/engine/patch/strategic-merge-patch'
import { builtinModel } from '../../src/engine/schema/builtin'
import { canonicalize } from '../../src/engine/schema/canonical'
import type { StructType } from '../../src/engine/schema/model'
import { jsonObject, kubeObject } from '../support/json-objects'

const TIME = '2026-01-01T00:00:00Z'

function typeOf(group: string, version: string, kind: string): StructType {
  const type = builtinModel().byKind(group, version, kind)
  if (type === undefined) throw new Error(`no type ${kind}`)
  return type
}

const configMapType = typeOf('', 'v1', 'ConfigMap')
const deploymentType = typeOf('apps', 'v1', 'Deployment')
const deploymentKind = { group: 'apps', version: 'v1', kind: 'Deployment' }

const configMap = (): KubeObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'a', namespace: 'default', labels: { app: 'a' } },
  data: { key: 'value', other: 'value' },
})

function deployment(replicas: number, variables = 2, image = 'nginx:1.27'): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', labels: { app: 'd' } },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'd' } },
      template: {
        metadata: { labels: { app: 'd' } },
        spec: {
          containers: [
            {
              name: 'web',
              image,
              ports: [{ containerPort: 80 }],
              env: Array.from({ length: variables }, (_, i) => ({
                name: `V${i}`,
                value: String(i),
              })),
              resources: { requests: { cpu: '100m', memory: '64Mi' } },
            },
          ],
        },
      },
    },
  }
}

const deploymentWrite = (live: KubeObject | undefined, manager: string): Write => ({
  live,
  type: deploymentType,
  manager,
  apiVersion: 'apps/v1',
  subresource: '',
  time: TIME,
})

function apply(live: KubeObject | undefined, applied: JsonObject): KubeObject {
  const { object, managedFields } = applyPatch(deploymentWrite(live, 'bench'), {
    applied,
    kind: deploymentKind,
    force: false,
  })
  return kubeObject({
    ...object,
    metadata: { ...(object.metadata as JsonObject), managedFields },
  })
}

const stored = (applied: JsonObject): KubeObject =>
  canonicalize(deploymentType, apply(undefined, applied), 'stored')

/** @returns microseconds per run, the best of several rounds */
function measure(run: (i: number) => unknown, round = 200): number {
  let best = Number.POSITIVE_INFINITY
  for (let rounds = 0; rounds < 15; rounds++) {
    const start = performance.now()
    for (let i = 0; i < round; i++) run(i)
    best = Math.min(best, ((performance.now() - start) * 1000) / round)
  }
  return best
}

function row(name: string, run: (i: number) => unknown, round?: number): void {
  console.log(`${name.padEnd(48)} ${measure(run, round).toFixed(1).padStart(10)} µs`)
}

row(
  'create of a ConfigMap',
  () =>
    updateManagedFields(
      {
        live: undefined,
        type: configMapType,
        manager: 'bench',
        apiVersion: 'v1',
        subresource: '',
        time: TIME,
      },
      configMap(),
    ),
  2000,
)
const live = stored(deployment(1))
row('apply that creates a Deployment', () => apply(undefined, deployment(1)))
row('apply that changes a Deployment', (i) => apply(live, deployment(2 + (i % 7))))
row('apply that changes nothing', () => apply(live, deployment(1)))
row('update of a Deployment', (i) =>
  updateManagedFields(deploymentWrite(live, 'other'), {
    ...live,
    spec: { ...(live.spec as object), replicas: i + 2 },
  }),
)
const image = (i: number): JsonObject => ({
  spec: { template: { spec: { containers: [{ name: 'web', image: `nginx:${i}` }] } } },
})
row('strategic merge patch of an image', (i) =>
  applyStrategicMergePatch(jsonObject(live), image(i), deploymentType),
)
row('merge patch of replicas', (i) => applyMergePatch(jsonObject(live), { spec: { replicas: i } }))

console.log('\nby number of environment variables')
for (const count of [10, 100, 1000]) {
  const many = stored(deployment(1, count))
  const round = 20_000 / count / 10
  row(
    `  ${count}: apply that changes them all`,
    (i) => apply(many, deployment(1, count + (i % 2))),
    round,
  )
  row(`  ${count}: apply that changes nothing`, () => apply(many, deployment(1, count)), round)
  const variables = Array.from({ length: count }, (_, i) => ({ name: `V${i}`, value: `x${i}` }))
  const patch = { spec: { template: { spec: { containers: [{ name: 'web', env: variables }] } } } }
  row(
    `  ${count}: strategic merge patch of them all`,
    () => applyStrategicMergePatch(jsonObject(many), patch, deploymentType),
    round,
  )
}
