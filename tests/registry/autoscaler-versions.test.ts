import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { tableDocument } from '../support/json-objects'
import {
  HUB,
  horizontalPodAutoscalerV1,
  METRICS,
  OLD,
  scaleTargetRef,
  source,
} from './arbitrary-autoscalers'
import { TABLE, testServer } from './server'

const MERGE = 'application/merge-patch+json'
const BY_DEFAULT = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
}

const ofCpu = (one: JsonObject): boolean => (one.resource as JsonObject | undefined)?.name === 'cpu'
const isCpu = (one: JsonObject): boolean =>
  ofCpu(one) && (one.resource as { target?: JsonObject }).target?.averageUtilization !== undefined

describe('an autoscaler in two versions', () => {
  it('encodes fields that v1 lacks as JSON with HTML characters escaped', async () => {
    const { send } = testServer()
    await send('POST', HUB, { metadata: { name: 'a' }, spec: { maxReplicas: 3, scaleTargetRef } })
    const conditions = [{ type: 'AbleToScale', status: 'True', message: '1 < 2 & 3 > 2' }]
    await send('PATCH', `${HUB}/a/status`, { status: { conditions } }, MERGE)
    const { body } = await send('GET', `${OLD}/a`)
    const text = body.metadata.annotations?.['autoscaling.alpha.kubernetes.io/conditions']
    expect(text).toContain('"message":"1 \\u003c 2 \\u0026 3 \\u003e 2"')
    expect((await send('GET', `${HUB}/a`)).body).toMatchObject({ status: { conditions } })
  })

  it('round-trips through v1 and back, with the CPU metric last', () => {
    fc.assert(
      fc.property(fc.array(source, { minLength: 1, maxLength: 4 }), (sources) => {
        // v1 has room for one CPU target: that of the first CPU metric.
        const metrics = sources.filter((one, i) => !isCpu(one) || sources.findIndex(ofCpu) === i)
        const object: KubeObject = {
          kind: 'HorizontalPodAutoscaler',
          apiVersion: 'autoscaling/v2',
          metadata: { name: 'a' },
          spec: { maxReplicas: 3, metrics },
        }
        const { spec, metadata } = horizontalPodAutoscalerV1.toHub(
          horizontalPodAutoscalerV1.fromHub(object),
        )
        const others = metrics.filter((one) => !isCpu(one))
        const cpu = metrics.filter(isCpu)
        expect((spec as JsonObject).metrics).toEqual(
          others.length + cpu.length > 0 ? [...others, ...cpu] : [BY_DEFAULT],
        )
        expect(Object.keys(metadata.annotations ?? {})).toEqual([])
      }),
    )
  })

  it('is stored once, and served and watched in either', async () => {
    const server = testServer()
    const watch = await server.watch(`${OLD}?watch=1`)
    await server.send('POST', HUB, {
      metadata: { name: 'a' },
      spec: {
        scaleTargetRef,
        maxReplicas: 3,
        metrics: [
          {
            type: 'Pods',
            pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '5' } },
          },
        ],
      },
    })
    const old = await server.send<KubeObject & { spec: JsonObject }>('GET', `${OLD}/a`)
    expect(old.body).toMatchObject({
      apiVersion: 'autoscaling/v1',
      metadata: { annotations: { [METRICS]: expect.stringContaining('"metricName":"rps"') } },
    })
    await server.send('PATCH', `${OLD}/a`, { spec: { targetCPUUtilizationPercentage: 40 } }, MERGE)
    const { body } = await server.send<KubeObject & { spec: { metrics: JsonObject[] } }>(
      'GET',
      `${HUB}/a`,
    )
    expect(body.spec.metrics.map(({ type }) => type)).toEqual(['Pods', 'Resource'])
    expect(watch.events.map(({ type, object }) => [type, object.apiVersion])).toEqual([
      ['ADDED', 'autoscaling/v1'],
      ['MODIFIED', 'autoscaling/v1'],
    ])
  })

  it('prints the same Table rows in both versions, in lists and watches', async () => {
    const server = testServer()
    const cpu = {
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
    }
    const pods = {
      type: 'Pods',
      pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '5' } },
    }
    const spec: JsonObject = {
      scaleTargetRef,
      maxReplicas: 3,
      metrics: [cpu, pods] as JsonObject[],
    }
    await server.send('POST', HUB, { metadata: { name: 'a' }, spec })
    const currentMetrics: JsonObject[] = [
      {
        type: 'Resource',
        resource: { name: 'cpu', current: { averageUtilization: 10, averageValue: '1' } },
      },
      { type: 'Pods', pods: { metric: { name: 'rps' }, current: { averageValue: '3' } } },
    ]
    const status = { status: { currentReplicas: 2, desiredReplicas: 2, currentMetrics } }
    await server.send('PATCH', `${HUB}/a/status`, status, MERGE)
    const targets = (table: object) => tableDocument(table).rows?.[0]?.cells[2]
    expect(targets(await server.table(`${HUB}/a`))).toBe('cpu: 10%/50%, 3/5')
    expect(targets(await server.table(`${OLD}/a`))).toBe('cpu: 10%/50%, 3/5')
    expect(targets(await server.table(OLD))).toBe('cpu: 10%/50%, 3/5')
    const watch = await server.watch(`${OLD}?watch=1`, TABLE)
    expect(watch.events.map(({ object }) => targets(object))).toEqual(['cpu: 10%/50%, 3/5'])
  })

  it('drops an annotation that does not parse', async () => {
    const server = testServer()
    await server.send('POST', OLD, {
      metadata: { name: 'a', annotations: { [METRICS]: '[{' } },
      spec: { scaleTargetRef, maxReplicas: 3 },
    })
    const { body } = await server.send<KubeObject & { spec: { metrics: JsonObject[] } }>(
      'GET',
      `${HUB}/a`,
    )
    expect([body.metadata.annotations, body.spec.metrics.length]).toEqual([undefined, 1])
  })

  it('drops an annotation with a value of the wrong type as a whole', async () => {
    const server = testServer()
    const pods = { type: 'Pods', pods: { metricName: 'rps', targetAverageValue: '5' } }
    const unreadable: [annotation: string, text: unknown][] = [
      [
        'metrics',
        [pods, { type: 'Pods', pods: { metricName: 'rps', targetAverageValue: 'much' } }],
      ],
      [
        'metrics',
        [pods, { type: 'Resource', resource: { name: 'memory', targetAverageUtilization: '5' } }],
      ],
      ['metrics', [pods, { type: 'Pods', pods: 'rps' }]],
      ['metrics', [pods, 'rps']],
      ['behavior', { ScaleUp: 'fast' }],
      ['behavior', { ScaleDown: { StabilizationWindowSeconds: '5', SelectPolicy: 'Min' } }],
      ['conditions', [{ type: 'AbleToScale', status: 'True', lastTransitionTime: 'yesterday' }]],
      [
        'current-metrics',
        [{ type: 'Resource', resource: { name: 'cpu', currentAverageValue: 'much' } }],
      ],
    ]
    for (const [i, [name, text]] of unreadable.entries()) {
      const annotations = { [`autoscaling.alpha.kubernetes.io/${name}`]: JSON.stringify(text) }
      const object = {
        metadata: { name: `a${i}`, annotations },
        spec: { scaleTargetRef, maxReplicas: 3 },
      }
      expect((await server.send('POST', OLD, object)).status).toBe(201)
      expect(
        (await server.send('PATCH', `${OLD}/a${i}/status`, { metadata: { annotations } }, MERGE))
          .status,
      ).toBe(200)
      const { body } = await server.send<KubeObject & { spec: JsonObject; status: JsonObject }>(
        'GET',
        `${HUB}/a${i}`,
      )
      expect([body.metadata.annotations, body.spec.metrics, body.spec.behavior]).toEqual([
        undefined,
        [BY_DEFAULT],
        undefined,
      ])
      expect([body.status.conditions, body.status.currentMetrics]).toEqual([undefined, null])
    }
  })

  it('returns the CPU percentage in v1 only if the first CPU metric has one', async () => {
    const server = testServer()
    const cpu = (target: JsonObject): JsonObject => ({
      type: 'Resource',
      resource: { name: 'cpu', target },
    })
    const metrics = [
      cpu({ type: 'AverageValue', averageValue: '3' }),
      cpu({ type: 'Utilization', averageUtilization: 50 }),
    ]
    await server.send('POST', HUB, {
      metadata: { name: 'a' },
      spec: { scaleTargetRef, maxReplicas: 3, metrics },
    })
    const { body } = await server.send<KubeObject & { spec: JsonObject }>('GET', `${OLD}/a`)
    expect(body.spec.targetCPUUtilizationPercentage).toBeUndefined()
  })
})

describe('applied through one version after the other', () => {
  const applied = (
    server: ReturnType<typeof testServer>,
    path: string,
    manager: string,
    spec: JsonObject,
    annotations?: JsonObject,
  ) => {
    const apiVersion = path === HUB ? 'autoscaling/v2' : 'autoscaling/v1'
    const body: JsonObject = {
      apiVersion,
      kind: 'HorizontalPodAutoscaler',
      metadata: annotations ? { name: 'a', annotations } : { name: 'a' },
      spec,
    }
    return server.send<KubeObject & { message?: string }>(
      'PATCH',
      `${path}/a?fieldManager=${manager}`,
      body,
      'application/apply-patch+yaml',
    )
  }

  it('accepts an apply that leaves its manager no metadata fields', async () => {
    const server = testServer()
    await applied(
      server,
      OLD,
      'one',
      { scaleTargetRef, maxReplicas: 3 },
      { [METRICS]: 'unreadable' },
    )
    expect((await applied(server, HUB, 'one', { scaleTargetRef, maxReplicas: 4 })).status).toBe(200)
  })

  it('counts a field as changed if the other version always writes it', async () => {
    const server = testServer()
    await applied(server, HUB, 'one', { scaleTargetRef, maxReplicas: 3 })
    const { body } = await applied(server, OLD, 'two', {
      scaleTargetRef: { name: 'web' },
      maxReplicas: 3,
    })
    expect(body.message).toBe(
      'Apply failed with 1 conflict: conflict with "one": .spec.scaleTargetRef.kind',
    )
  })
})
