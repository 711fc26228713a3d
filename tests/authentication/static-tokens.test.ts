import { describe, expect, it } from 'vitest'
import { parseTokenFile } from '../../src/engine/authentication/static-tokens'

describe('the static token file', () => {
  it('contains user, uid and groups of each token', () => {
    const users = parseTokenFile(
      't1,jane,u1\nt2,joe,u2,"dev,ops"\nt3,"a ""b""",u3,dev\n\n# no user\n',
    )
    expect([...users]).toEqual([
      ['t1', { name: 'jane', uid: 'u1', groups: [] }],
      ['t2', { name: 'joe', uid: 'u2', groups: ['dev', 'ops'] }],
      ['t3', { name: 'a "b"', uid: 'u3', groups: ['dev'] }],
    ])
  })

  it('uses the last of several lines with the same token, and skips empty tokens', () => {
    expect(parseTokenFile('t,jane,u1\nt,joe,u2\n,no-token,u3').get('t')?.name).toBe('joe')
    expect(parseTokenFile(',no-token,u3').size).toBe(0)
  })

  it('requires three columns', () => {
    expect(() => parseTokenFile('t,jane,u\nt2,joe')).toThrow(
      'line 2: must have at least 3 columns (token, user name, user uid), found 2',
    )
  })
})
