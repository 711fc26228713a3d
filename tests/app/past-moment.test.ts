/** Nothing is asked to change while a moment that has passed is shown; and no word of that comes from the server. */
import { afterAll, expect, it, vi } from 'vitest'
import { fetchRaw } from '../../src/app/client'
import { useMoment } from '../../src/app/state/moment'

// What the page's state asks of a browser when it is loaded.
vi.hoisted(() => {
  vi.stubGlobal('location', new URL('http://localhost/'))
  vi.stubGlobal('document', { baseURI: 'http://localhost/' })
  vi.stubGlobal('addEventListener', () => undefined)
})
afterAll(() => {
  vi.unstubAllGlobals()
})

it('gives the console no answer to pass on as the server’s', async () => {
  const asked = vi.fn()
  vi.stubGlobal('fetch', asked)
  useMoment.getState().show(7)
  await expect(fetchRaw({ method: 'DELETE', path: '/api/v1/nodes/a' })).rejects.toThrow(
    'You are viewing revision 7. Return to now to make changes.',
  )
  expect(asked).not.toHaveBeenCalled()
})
