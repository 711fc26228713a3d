/** Hashes that Kubernetes controllers use in names and in orders. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { md5 } from '../../src/engine/controllers/shared/md5'
import { revisionHash, templateHash } from '../../src/engine/controllers/shared/template-hash'
import type { JsonObject } from '../../src/engine/core/object'

it('computes MD5', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      expect(md5(text)).toBe(createHash('md5').update(text).digest('hex'))
    }),
  )
})

it('names a ControllerRevision as recorded in cluster-statefulsets', () => {
  const container = {
    image: 'img:1',
    imagePullPolicy: 'IfNotPresent',
    name: 'c',
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  }
  const spec = {
    containers: [container],
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
  }
  const template = {
    $patch: 'replace',
    metadata: { creationTimestamp: null, labels: { app: 'db' } },
    spec,
  }
  expect(revisionHash({ spec: { template } }, 0)).toBe('dc57b7c58')
})

const template = (more: JsonObject = {}, container: JsonObject = {}): JsonObject => ({
  metadata: { creationTimestamp: null, labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'web:1', resources: {}, ...container }], ...more },
})

/** Pod template hashes of the same templates. Recorded from kube-controller-manager 1.31. */
it.each<[what: string, template: JsonObject, hash: string]>([
  ['next to nothing', template(), '7f748ffb9b'],
  [
    'amounts that keep their text and amounts that do not',
    template(
      {},
      {
        resources: {
          limits: { cpu: '1500m', memory: '256Mi' },
          requests: { cpu: '0', memory: '100Ti' },
        },
      },
    ),
    '7fc57ddb95',
  ],
  [
    'probes, ports and references',
    template(
      {},
      {
        livenessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: 10 },
        env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }],
      },
    ),
    '795794845d',
  ],
  [
    'volumes',
    template({
      volumes: [
        { name: 'v', configMap: { name: 'c', defaultMode: 420 } },
        { name: 'w', rbd: { monitors: ['m'], image: 'i' } },
      ],
    }),
    '578db57944',
  ],
])('names a replica set as the real controller does: %s', (_what, given, hash) => {
  expect(templateHash(given)).toBe(hash)
})

it('includes the collision count', () => {
  expect(templateHash(template(), 0)).toBe('86f5c79cb')
  expect(templateHash(template(), 1)).toBe('5ff9d7b44f')
})
