import { describe, expect, it } from 'vitest'

import { change, moving, sample } from './change'

describe('autoscalers', () => {
  const path = (version: string) =>
    `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`
  for (const [row, version] of [
    ['1.26 HorizontalPodAutoscaler', 'v2beta2'],
    ['1.25 HorizontalPodAutoscaler', 'v2beta1'],
  ] as const) {
    change(row, 'metric-targets', async () => {
      const { writeOld, readNew } = moving(version === 'v2beta2' ? '1.25' : '1.24', '1.26')
      await writeOld(path(version), sample(`autoscaling/${version}`, 'HorizontalPodAutoscaler'))
      const { json } = await readNew(`${path('v2')}/it`)
      expect(json.spec.metrics).toEqual([
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
        },
      ])
    })
  }

  it('v2beta1 lays every kind of metric flat, and carries the behavior in an annotation', async () => {
    const { writeOld, readOld } = moving('1.24', '1.25')
    const reference = { apiVersion: 'v1', kind: 'Service', name: 'web' }
    const metrics = [
      {
        type: 'Pods',
        pods: { metric: { name: 'hits' }, target: { type: 'AverageValue', averageValue: '5' } },
      },
      {
        type: 'Object',
        object: {
          describedObject: reference,
          metric: { name: 'hits' },
          target: { type: 'Value', value: '7' },
        },
      },
      {
        type: 'External',
        external: {
          metric: { name: 'queue' },
          target: { type: 'AverageValue', averageValue: '30' },
        },
      },
      {
        type: 'ContainerResource',
        containerResource: {
          name: 'cpu',
          container: 'c',
          target: { type: 'Utilization', averageUtilization: 4 },
        },
      },
    ]
    const spec = {
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      metrics,
    }
    const behavior = { scaleDown: { stabilizationWindowSeconds: 7 } }
    const body = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'it' },
      spec: { ...spec, behavior },
    }
    const made = await writeOld(path('v2'), body)
    const { json } = await readOld(`${path('v2beta1')}/it`)
    expect(json.spec).not.toHaveProperty('behavior')
    expect(json.spec.metrics).toEqual([
      { type: 'Pods', pods: { metricName: 'hits', targetAverageValue: '5' } },
      {
        type: 'Object',
        object: {
          target: { kind: 'Service', name: 'web', apiVersion: 'v1' },
          metricName: 'hits',
          targetValue: '7',
        },
      },
      { type: 'External', external: { metricName: 'queue', targetAverageValue: '30' } },
      {
        type: 'ContainerResource',
        containerResource: { name: 'cpu', targetAverageUtilization: 4, container: 'c' },
      },
    ])
    await writeOld(`${path('v2beta1')}/it`, json, 'PUT')
    expect((await readOld(`${path('v2')}/it`)).json.spec).toEqual(made.json.spec)
  })
})
