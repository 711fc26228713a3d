import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { testServer } from './server'

const HERE = '/api/v1/namespaces/default'
const FINE = '1.0001'
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: FINE } } }
const claimed = { resources: { requests: { storage: '1001m' } } }

test.each<[string, JsonObject, JsonObject]>([
  [
    `${HERE}/limitranges`,
    { spec: { limits: [{ type: 'Pod', max: { cpu: FINE } }] } },
    { spec: { limits: [{ max: { cpu: '1001m' } }] } },
  ],
  [`${HERE}/resourcequotas`, { spec: { hard: { cpu: '1u' } } }, { spec: { hard: { cpu: '1m' } } }],
  [
    '/api/v1/nodes',
    { status: { capacity: { memory: '1n' } } },
    { status: { capacity: { memory: '1m' }, allocatable: { memory: '1m' } } },
  ],
  [
    '/api/v1/persistentvolumes',
    {
      spec: {
        capacity: { storage: FINE },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/x' },
      },
    },
    { spec: { capacity: { storage: '1001m' } } },
  ],
  [`${HERE}/persistentvolumeclaims`, { spec: claim }, { spec: claimed }],
  [
    `${HERE}/podtemplates`,
    {
      template: {
        spec: {
          containers: [{ name: 'c', image: 'i' }],
          volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec: claim } } }],
        },
      },
    },
    {
      template: { spec: { volumes: [{ ephemeral: { volumeClaimTemplate: { spec: claimed } } }] } },
    },
  ],
  [
    '/apis/apps/v1/namespaces/default/statefulsets',
    {
      spec: {
        serviceName: 's',
        selector: { matchLabels: { a: 'b' } },
        template: {
          metadata: { labels: { a: 'b' } },
          spec: { containers: [{ name: 'c', image: 'i' }] },
        },
        volumeClaimTemplates: [{ metadata: { name: 'v' }, spec: claim }],
      },
    },
    { spec: { volumeClaimTemplates: [{ spec: claimed }] } },
  ],
])('amounts finer than thousandths are rounded up in %s', async (path, object, expected) => {
  const { status, body } = await testServer().send('POST', path, {
    metadata: { name: 'x' },
    ...object,
  })
  expect(status).toBe(201)
  expect(body).toMatchObject(expected)
})
