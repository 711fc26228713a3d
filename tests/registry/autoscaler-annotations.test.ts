import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { tablesOf } from '../../src/engine/release-tables/tables'
import { horizontalPodAutoscalerV1 as conversionWith } from '../../src/engine/releases/conversions/autoscaler'
import { modelOf } from '../../src/engine/schema/builtin'
import { tableDocument } from '../support/json-objects'
import {
  HUB,
  horizontalPodAutoscalerV1,
  METRICS,
  OLD,
  scaleTargetRef,
} from './arbitrary-autoscalers'
import { testServer } from './server'

describe('amounts that v1 always writes', () => {
  const measured = (current: JsonObject): JsonObject[] => [
    { type: 'Resource', resource: { name: 'memory', current } },
    {
      type: 'Object',
      object: { describedObject: scaleTargetRef, metric: { name: 'rps' }, current },
    },
    { type: 'Pods', pods: { metric: { name: 'rps' }, current } },
    { type: 'External', external: { metric: { name: 'rps' }, current } },
  ]
  const toV1 = (object: JsonObject) =>
    horizontalPodAutoscalerV1.fromHub({ ...BARE, ...object } as KubeObject)
  const toHub = (annotations: Record<string, string>) =>
    horizontalPodAutoscalerV1.toHub({
      ...BARE,
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'a', annotations },
    })
  const BARE: KubeObject = {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'a' },
  }
  const CURRENT = 'autoscaling.alpha.kubernetes.io/current-metrics'

  it('are zero in v1 where the object does not set them', () => {
    const { annotations } = toV1({
      status: { currentMetrics: measured({ averageUtilization: 3 }) },
    }).metadata
    const sources = (
      JSON.parse(annotations?.[CURRENT] ?? '[]') as Record<string, JsonObject>[]
    ).map(({ type, ...source }) => source)
    expect(sources).toMatchObject([
      { resource: { currentAverageValue: '0' } },
      { object: { currentValue: '0' } },
      { pods: { currentAverageValue: '0' } },
      { external: { currentValue: '0' } },
    ])
  })

  it('are zero in the stored version where the annotation leaves them out', () => {
    const text = JSON.stringify([{ type: 'Pods', pods: { metricName: 'rps' } }])
    expect((toHub({ [CURRENT]: text }).status as JsonObject).currentMetrics).toEqual([
      { type: 'Pods', pods: { metric: { name: 'rps' }, current: { averageValue: '0' } } },
    ])
    const target = JSON.stringify([{ type: 'Pods', pods: { metricName: 'rps' } }])
    expect((toHub({ [METRICS]: target }).spec as JsonObject).metrics).toEqual([
      {
        type: 'Pods',
        pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '0' } },
      },
    ])
  })
})

it('shows no annotations of v1 where only the metadata is shown', async () => {
  const server = testServer()
  const behavior = { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 10 }] } }
  await server.send('POST', HUB, {
    metadata: { name: 'a' },
    spec: { maxReplicas: 2, scaleTargetRef, behavior },
  })
  const { body } = await server.send('GET', `${OLD}/a`)
  expect(Object.keys(body.metadata.annotations ?? {})).toEqual([
    'autoscaling.alpha.kubernetes.io/behavior',
  ])
  const { rows } = tableDocument(await server.table(OLD))
  expect(rows?.[0]?.object?.metadata).not.toHaveProperty('annotations')
})

it('takes the names of resources that containers have', async () => {
  const server = testServer()
  const found = async (name: string, container: string) => {
    const metrics = [
      {
        type: 'ContainerResource',
        containerResource: { name, container, target: { type: 'AverageValue', averageValue: '1' } },
      },
    ]
    const { body } = await server.send<{
      details?: { causes: { field: string; message: string }[] }
    }>('POST', `${HUB}?dryRun=All`, {
      metadata: { name: 'a' },
      spec: { maxReplicas: 2, scaleTargetRef, metrics },
    })
    return body.details?.causes.map(
      ({ field, message }) =>
        `${field.slice('spec.metrics[0].containerResource.'.length)}: ${message}`,
    )
  }
  expect(await found('example.com/gpu', 'c')).toBeUndefined()
  expect(await found('pods', 'c')).toEqual([
    'name: Invalid value: pods: must be a standard resource for containers',
  ])
  const [malformed, strange, container] = (await found('a b', 'C_1')) ?? []
  expect(malformed).toMatch(/^name: Invalid value: "a b": name part must/)
  expect(strange).toBe('name: Invalid value: a b: must be a standard resource for containers')
  expect(container).toMatch(/^container: Invalid value: "C_1": a lowercase RFC 1123 label/)
})

it('adds no default policies to scaling rules from a v1 annotation', async () => {
  const server = testServer()
  const reported = async (behavior: JsonObject) => {
    const annotations = { 'autoscaling.alpha.kubernetes.io/behavior': JSON.stringify(behavior) }
    const object = {
      metadata: { name: 'a', annotations },
      spec: { maxReplicas: 2, scaleTargetRef },
    }
    const { status, body } = await server.send<{ message?: string }>(
      'POST',
      `${OLD}?dryRun=All`,
      object,
    )
    return status === 201 ? 'taken' : body.message?.slice(body.message.indexOf('spec.'))
  }
  expect(await reported({ ScaleUp: {} })).toBe(
    'spec.behavior.scaleUp.policies: Required value: must specify at least one Policy',
  )
  expect(
    await reported({
      ScaleUp: null,
      ScaleDown: { Policies: [{ Type: 'Pods', Value: 1, PeriodSeconds: 1 }] },
    }),
  ).toBe('taken')
})

it('reports an invalid amount once', async () => {
  const metrics = [
    {
      type: 'Pods',
      pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '0' } },
    },
  ]
  const object = { metadata: { name: 'a' }, spec: { maxReplicas: 2, scaleTargetRef, metrics } }
  const { body } = await testServer().send<{ details: { causes: JsonObject[] } }>(
    'POST',
    HUB,
    object,
  )
  expect(body.details.causes).toHaveLength(1)
})

describe('the behavior in the annotation of v1', () => {
  const BARE = {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'a' },
  }
  const ANNOTATION = 'autoscaling.alpha.kubernetes.io/behavior'
  const scaleUp = {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }],
  }
  const object = { ...BARE, spec: { behavior: { scaleUp: { ...scaleUp, tolerance: '100m' } } } }
  const conversionAt = (release: string) => conversionWith(modelOf(tablesOf(release)))
  const textAt = (release: string) =>
    conversionAt(release).fromHub(object as KubeObject).metadata.annotations?.[ANNOTATION]

  it('has the tolerance in releases with the member', async () => {
    await loadTables('1.33')
    expect(textAt('1.31')).not.toContain('Tolerance')
    expect(textAt('1.33')).toContain('"PeriodSeconds":15}],"Tolerance":"100m"}')
    const old = {
      ...BARE,
      metadata: { name: 'a', annotations: { [ANNOTATION]: textAt('1.33') ?? '' } },
    }
    const behavior = (release: string) =>
      (conversionAt(release).toHub(old as KubeObject).spec as JsonObject).behavior
    expect(behavior('1.33')).toEqual({ scaleUp: { ...scaleUp, tolerance: '100m' } })
    expect(behavior('1.31')).toEqual({ scaleUp })
  })
})
