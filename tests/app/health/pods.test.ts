/** Pods have many words for their state: compared with the columns that kubectl prints. */

import { describe, expect, it } from 'vitest'
import { healthOf } from '../../../src/app/state/health/object-health'
import type { KubeObject } from '../../../src/engine/core/object'
import { podTables } from '../../../src/engine/encoding/tables/pods'
import { kubeObject } from '../../support/json-objects'

const pod = (status: object, metadata: object = {}, spec: object = {}): KubeObject =>
  kubeObject({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', ...metadata },
    spec: { containers: [{ name: 'c' }], ...spec },
    status,
  })

const container = (state: object, rest: object = {}) => ({
  containerStatuses: [{ name: 'c', ready: false, restartCount: 0, state, ...rest }],
})
const READY = { conditions: [{ type: 'Ready', status: 'True' }] }
const running = container({ running: {} }, { ready: true })

const CASES: [string, KubeObject, string, string][] = [
  ['ready', pod({ phase: 'Running', ...READY, ...running }), 'Current', '1/1 Running'],
  ['pending', pod({ phase: 'Pending' }), 'InProgress', '0/1 Pending'],
  [
    'being created',
    pod({ phase: 'Pending', ...container({ waiting: { reason: 'ContainerCreating' } }) }),
    'InProgress',
    '0/1 ContainerCreating',
  ],
  [
    'not ready',
    pod({ phase: 'Running', ...container({ running: {} }) }),
    'InProgress',
    '0/1 Running',
  ],
  [
    'crashing',
    pod({
      phase: 'Running',
      ...container({ waiting: { reason: 'CrashLoopBackOff' } }, { restartCount: 4 }),
    }),
    'Failed',
    '0/1 CrashLoopBackOff, 4 restarts',
  ],
  [
    'without an image',
    pod({ phase: 'Pending', ...container({ waiting: { reason: 'ErrImagePull' } }) }),
    'Failed',
    '0/1 ErrImagePull',
  ],
  [
    'killed for memory',
    pod({ phase: 'Running', ...container({ terminated: { reason: 'OOMKilled', exitCode: 137 } }) }),
    'Failed',
    '0/1 OOMKilled',
  ],
  [
    'at its first init container',
    pod(
      {
        phase: 'Pending',
        initContainerStatuses: [{ name: 'i', restartCount: 0, state: { running: {} } }],
      },
      {},
      { initContainers: [{ name: 'i' }] },
    ),
    'InProgress',
    '0/1 Init:0/1',
  ],
  [
    'unschedulable',
    pod({
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
    }),
    'Failed',
    '0/1 Pending',
  ],
  [
    'complete',
    pod({
      phase: 'Succeeded',
      ...container({ terminated: { reason: 'Completed', exitCode: 0 } }),
    }),
    'Current',
    '0/1 Completed',
  ],
  ['evicted', pod({ phase: 'Failed', reason: 'Evicted' }), 'Failed', '0/1 Evicted'],
  [
    'deleted',
    pod({ phase: 'Running', ...running }, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    'Terminating',
    '1/1 Terminating',
  ],
]

describe('a Pod', () => {
  it.each(CASES)('that is %s', (_what, one, level, text) => {
    expect([healthOf(one).level, healthOf(one).text]).toEqual([level, text])
    const { Ready, Status, Restarts } = podTables.pods?.cells(one, 0, new Set()) ?? {}
    const printed = `${Ready} ${Status}`
    expect(text).toBe(Restarts === '0' ? printed : `${printed}, ${Restarts} restarts`)
  })

  it('reports why its last container ended', () => {
    const lastState = { terminated: { reason: 'Error', exitCode: 3 } }
    const one = pod({
      phase: 'Running',
      ...container({ waiting: { reason: 'CrashLoopBackOff' } }, { lastState, restartCount: 1 }),
    })
    expect(healthOf(one)).toEqual({
      level: 'Failed',
      text: '0/1 CrashLoopBackOff, 1 restart',
      reason: 'Last state: Error, exit code 3.',
    })
  })
})
