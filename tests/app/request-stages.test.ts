import { describe, expect, it } from 'vitest'
import { statusOf } from '../../src/app/features/requests/rejection'
import { STAGES, stopOf } from '../../src/app/features/requests/stages'
import type { RequestTrace } from '../../src/hosts/shared/channel'

const trace = (status: number, ...stages: (typeof STAGES)[number][]): RequestTrace =>
  ({ status, spans: stages.map((stage) => ({ stage })) }) as RequestTrace

describe('the stages of a request', () => {
  it('are those of the request pipeline, authentication first', () => {
    expect(STAGES[0]).toBe('authentication')
    expect(STAGES.indexOf('mutating admission')).toBeLessThan(
      STAGES.indexOf('validating admission'),
    )
    expect(new Set(STAGES).size).toBe(STAGES.length)
  })

  it('stop where a request was rejected', () => {
    expect(stopOf(trace(403, 'authentication', 'authorization'))?.stage).toBe('authorization')
    expect(stopOf(trace(200, 'authentication', 'encoding'))).toBeUndefined()
  })
})

describe('the Status of a rejected request', () => {
  it('is the body of its response', () => {
    const status = { kind: 'Status', reason: 'NotFound', message: 'pods "web" not found' }
    expect(statusOf(JSON.stringify(status))).toEqual(status)
  })

  it.each([undefined, '', 'not JSON', '{"kind":"Pod"}', '{"kind":"Status","status":"Success"}'])(
    'is absent for %s',
    (body) => {
      expect(statusOf(body)).toBeUndefined()
    },
  )
})
