/** Digests that the real controllers show in names and orders. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { md5 } from '../../src/engine/controllers/shared/md5'
import { revisionHash, templateHash } from '../../src/engine/controllers/shared/template-hash'

it('is MD5 as everybody computes it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      expect(md5(text)).toBe(createHash('md5').update(text).digest('hex'))
    }),
  )
})

it('names a revision as the real server did (recorded: cluster-statefulsets)', () => {
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
  const template = { $patch: 'replace', metadata: { creationTimestamp: null, labels: { app: 'db' } }, spec }
  expect(revisionHash({ spec: { template } }, 0)).toBe('dc57b7c58')
})

it('is the same for a template whose members stand in another order, and another after a collision', () => {
  expect(templateHash({ a: 1, b: { c: 2, d: 3 } })).toBe(templateHash({ b: { d: 3, c: 2 }, a: 1 }))
  expect(templateHash({ a: 1 }, 1)).not.toBe(templateHash({ a: 1 }))
  expect(templateHash({ a: 1 })).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]+$/)
})
