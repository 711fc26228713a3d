/**
 * The bridge to the tab accepts programs on this machine and its own page, and rejects other sites.
 */
import { describe, expect, it } from 'vitest'
import { pieceOf, readPiece } from '../../src/hosts/bridge/frames'
import { isFromPage, rejectionOf } from '../../src/hosts/bridge/guard'

describe('the bridge', () => {
  it.each(['127.0.0.1:5173', 'localhost:5173', 'localhost', '[::1]:5173'])(
    'accepts programs that request %s',
    (host) => {
      expect(rejectionOf({ host })).toBeUndefined()
    },
  )

  it.each(['evil.example:5173', '192.168.1.7:5173', '127.0.0.1.evil.example', ''])(
    'rejects the Host %o',
    (host) => {
      expect(rejectionOf({ host })).toContain('only names of this machine')
    },
  )

  it('rejects pages of other sites by Origin and Sec-Fetch-Site', () => {
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

  it('accepts the engine of its own page only', () => {
    expect(isFromPage({ host: 'localhost:5173', origin: 'http://localhost:5173' })).toBe(true)
    expect(isFromPage({ host: 'localhost:5173' })).toBe(false)
    expect(isFromPage({ host: 'localhost:5173', origin: 'http://localhost:1' })).toBe(false)
  })

  it('prefixes body chunks with the number of their request', () => {
    const piece = pieceOf(70_000, new Uint8Array([1, 2, 3]))
    expect(readPiece(piece)).toEqual({ id: 70_000, bytes: new Uint8Array([1, 2, 3]) })
  })
})
