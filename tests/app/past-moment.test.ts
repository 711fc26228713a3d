/** While an earlier revision is shown, the page rejects writes itself, without a request. */
import { afterAll, expect, it, vi } from 'vitest'
import { fetchRaw } from '../../src/app/state/client'
import { useMoment } from '../../src/app/state/moment'

// Browser globals that the page's state reads when it is loaded.
vi.hoisted(() => {
  vi.stubGlobal('location', new URL('http://localhost/'))
  vi.stubGlobal('document', { baseURI: 'http://localhost/' })
  vi.stubGlobal('addEventListener', () => undefined)
})
afterAll(() => {
  vi.unstubAllGlobals()
})

it('returns no response to the console', async () => {
  const send = vi.fn()
  vi.stubGlobal('fetch', send)
  useMoment.getState().show(7)
  await expect(fetchRaw({ method: 'DELETE', path: '/api/v1/nodes/a' })).rejects.toThrow(
    'You are viewing revision 7. Return to now to make changes.',
  )
  expect(send).not.toHaveBeenCalled()
})
