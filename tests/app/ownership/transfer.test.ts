/** The choice of a transfer and the progress of its steps. */
import { describe, expect, it } from 'vitest'
import type { Claim, Owner } from '../../../src/app/features/ownership/owners'
import type { Done } from '../../../src/app/features/ownership/sending'
import {
  claimId,
  latestOf,
  progressOf,
  transferChoice,
} from '../../../src/app/features/ownership/transfer'
import type { KubeObject } from '../../../src/engine/core/object'

const owner = (name: string, operation: Owner['operation'] = 'Apply'): Owner => ({
  id: `${name} ${operation}`,
  name,
  operation,
  apiVersion: 'v1',
  subresource: '',
  time: '',
})

const claim = (name: string, field: string): Claim => ({
  owner: owner(name),
  path: [`f:${field}`],
  itself: false,
  atomic: false,
  place: [field],
})

const COLOR = claim('alice', 'color')
const ROOM = claim('bob', 'room')
const NOTHING = { id: '', typed: undefined, fixed: undefined }

describe('the choice of a transfer', () => {
  it('is the first field, and another manager that applies the object', () => {
    const owners = [owner('alice'), owner('kubelet', 'Update'), owner('bob')]
    expect(transferChoice([COLOR, ROOM], owners, '', NOTHING)).toMatchObject({
      claim: COLOR,
      to: 'bob',
      shown: 'bob',
    })
  })

  it('is the suggested manager, unless a name is typed', () => {
    const chosen = (typed: string | undefined) =>
      transferChoice([COLOR], [owner('alice')], 'autoscaler', { ...NOTHING, typed })
    expect(chosen(undefined)).toMatchObject({ to: 'autoscaler', shown: 'autoscaler' })
    expect(chosen(' carol ')).toMatchObject({ to: 'carol', shown: ' carol ' })
    expect(chosen('')).toMatchObject({ to: 'autoscaler', shown: '' })
  })

  it('is the field with the selected id', () => {
    expect(transferChoice([COLOR, ROOM], [], '', { ...NOTHING, id: claimId(ROOM) }).claim).toBe(
      ROOM,
    )
  })

  it('stays fixed when the field has changed hands', () => {
    const fixed = { claim: COLOR, to: 'bob' }
    expect(transferChoice([ROOM], [], '', { ...NOTHING, fixed })).toEqual({
      fields: [COLOR, ROOM],
      claim: COLOR,
      to: 'bob',
      shown: 'bob',
    })
  })

  it('has no field if no manager applies one', () => {
    expect(transferChoice([], [], '', NOTHING).claim).toBeUndefined()
  })
})

const object = (resourceVersion: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', resourceVersion },
})

const done = (ok: boolean, resourceVersion = '1') =>
  ({ response: { ok, json: object(resourceVersion) } }) as unknown as Done

describe('the progress of steps', () => {
  it('continues after the last response', () => {
    expect(progressOf([], 2)).toEqual({ failed: false, finished: false, next: 0 })
    expect(progressOf([done(true)], 2)).toEqual({ failed: false, finished: false, next: 1 })
    expect(progressOf([done(true), done(true)], 2)).toEqual({
      failed: false,
      finished: true,
      next: 2,
    })
  })

  it('repeats a failed step', () => {
    expect(progressOf([done(true), done(false)], 2)).toEqual({
      failed: true,
      finished: false,
      next: 1,
    })
  })

  it('uses the newest object that a response contained', () => {
    const cached = object('5')
    expect(latestOf(cached, [done(true, '4')])).toBe(cached)
    expect(latestOf(cached, [done(true, '7'), done(false, '9')])).toEqual(object('7'))
  })
})
