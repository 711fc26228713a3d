/** The parts of a status: members, conditions, containers. */

import { expect, it } from 'vitest'
import { statusPartsOf } from '../../../src/app/features/objects/status-parts'
import { kubeObject } from '../../support/json-objects'

const object = (kind: string, status: unknown) =>
  kubeObject({ apiVersion: 'v1', kind, metadata: { name: 'a' }, status })

it('of a Pod are its containers, with the state that kubectl describe prints', () => {
  const { members, containers } = statusPartsOf(
    object('Pod', {
      phase: 'Running',
      podIPs: [{ ip: '10.0.0.1' }],
      containerStatuses: [
        {
          name: 'c',
          image: 'busybox',
          ready: false,
          restartCount: 2,
          state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s' } },
          lastState: { terminated: { reason: 'Error', exitCode: 3 } },
        },
      ],
    }),
  )
  expect(members).toEqual([['phase', 'Running']])
  expect(containers).toEqual([
    {
      name: 'c',
      image: 'busybox',
      init: false,
      ready: false,
      restarts: 2,
      state: 'Waiting: CrashLoopBackOff',
      last: 'Terminated: Error (3)',
      message: 'back-off 10s',
    },
  ])
})

it('survive a custom resource with any status', () => {
  for (const status of [undefined, null, 'ready', 3, [], { conditions: {} }])
    expect(statusPartsOf(object('Backup', status))).toEqual({
      members: [],
      conditions: [],
      containers: [],
    })
})
