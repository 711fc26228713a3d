/** Who may come over the bridge to the tab: programs of this machine and the page itself, and no other site. */
import { describe, expect, it } from 'vitest'
import { pieceOf, readPiece } from '../../src/hosts/bridge/frames'
import { isFromPage, rejectionOf } from '../../src/hosts/bridge/guard'

describe('the bridge', () => {
  it.each(['127.0.0.1:5173', 'localhost:5173', 'localhost', '[::1]:5173'])(
    'lets programs in that ask %s',
    (host) => {
      expect(rejectionOf({ host })).toBeUndefined()
    },
  )

  it.each(['evil.example:5173', '192.168.1.7:5173', '127.0.0.1.evil.example', ''])(
    'rejects who was led here under the name %o',
    (host) => {
      expect(rejectionOf({ host })).toContain('only names of this machine')
    },
  )

  it('rejects pages of other sites, by their origin and by what the browser says of them', () => {
    const host = 'localhost:5173'
    expect(rejectionOf({ host, origin: 'https://evil.example' })).toBe(
      'pages of https://evil.example may not reach this server',
    )
    expect(rejectionOf({ host, origin: 'http://localhost:8080' })).toBeDefined()
    expect(rejectionOf({ host, origin: 'null' })).toBeDefined()
    expect(rejectionOf({ host, 'sec-fetch-site': 'cross-site' })).toBeDefined()
    expect(rejectionOf({ host, 'sec-fetch-site': 'same-site' })).toBeDefined()
    expect(
      rejectionOf({ host, origin: 'http://localhost:5173', 'sec-fetch-site': 'same-origin' }),
    ).toBeUndefined()
  })

  it('takes the engine of its own page alone', () => {
    expect(isFromPage({ host: 'localhost:5173', origin: 'http://localhost:5173' })).toBe(true)
    expect(isFromPage({ host: 'localhost:5173' })).toBe(false)
    expect(isFromPage({ host: 'localhost:5173', origin: 'http://localhost:1' })).toBe(false)
  })

  it('marks pieces of bodies with the number of their request', () => {
    const piece = pieceOf(70_000, new Uint8Array([1, 2, 3]))
    expect(readPiece(piece)).toEqual({ id: 70_000, bytes: new Uint8Array([1, 2, 3]) })
  })
})
