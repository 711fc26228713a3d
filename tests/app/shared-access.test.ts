/** A link contains the access configuration unchanged, but no credentials. */
import { describe, expect, it } from 'vitest'
import { draftOf, SAMPLES, settingsOf } from '../../src/app/features/access/access-draft'
import { accessFrom, accessInWords, sharedAccess } from '../../src/app/features/share/access'
import {
  type AccessSettings,
  accessOptionsOf,
  FIRST_ACCESS,
} from '../../src/hosts/shared/access-settings'

const first = draftOf(FIRST_ACCESS)
const access = (change: Partial<typeof first>): AccessSettings =>
  settingsOf({ ...first, ...change })
const files = (change: Partial<typeof first.files>) => ({ ...first.files, ...change })

const KUBECONFIG = `# who reviews
users:
- name: apiserver
  user: {token: hush, client-key-data: aHVzaA==}
clusters:
- name: reviewer
  cluster: {server: "https://reviewer.example"}
`

describe('a configuration of access', () => {
  it.each([
    ['modes', access({ modes: 'ABAC,RBAC', files: files({ policy: '{"spec": {}}\n' }) })],
    ['a webhook', access({ modes: 'Node,RBAC,Webhook' })],
    [
      'a configuration file',
      access({ by: 'file', files: files({ configuration: SAMPLES.configuration }) }),
    ],
    [
      'ID tokens',
      access({
        files: files({ authentication: SAMPLES.authentication }),
        keySets: { 'https://issuer.example': '{"keys": []}' },
      }),
    ],
    ['anonymous requests off', access({ anonymous: 'no' })],
  ])('by %s comes out as it went in', (_, settings) => {
    const shared = sharedAccess(settings)
    expect(shared).toBeDefined()
    expect(shared && accessFrom(shared)).toEqual(settings)
  })

  it('is not part of a link if nothing is configured', () => {
    expect(sharedAccess(FIRST_ACCESS)).toBeUndefined()
    // The form writes its samples into files that nothing reads.
    expect(sharedAccess(settingsOf(first))).toBeUndefined()
  })

  it('leaves tokens, credentials and private keys behind', () => {
    const keys = JSON.stringify({
      keys: [{ kty: 'RSA', kid: 'a', n: 'modulus', d: 'hush', p: 'hush' }],
    })
    const settings = access({
      modes: 'RBAC,Webhook',
      files: files({
        tokens: 'hush,admin,1',
        webhook: KUBECONFIG,
        authentication: SAMPLES.authentication,
      }),
      keySets: { 'https://issuer.example': keys },
    })
    const shared = sharedAccess(settings)
    const text = JSON.stringify(shared)
    expect(text).not.toMatch(/hush|aHVzaA/)
    expect(text).toContain('https://reviewer.example')
    expect(text).toContain('modulus')
    expect(shared && accessOptionsOf(accessFrom(shared)).tokens).toEqual(
      accessOptionsOf(FIRST_ACCESS).tokens,
    )
  })

  it('leaves out what cannot be read, as credentials may be in it', () => {
    const broken = access({
      modes: 'Webhook',
      files: files({ webhook: 'users: [{user: {token: hush}' }),
    })
    expect(sharedAccess(broken)?.webhook).toMatch(/^# Left out/)
    const keys = access({
      files: files({ authentication: SAMPLES.authentication }),
      keySets: { 'https://issuer.example': 'hush' },
    })
    expect(sharedAccess(keys)?.keySets).toBeUndefined()
  })

  it('has a short summary', () => {
    expect(accessInWords({ modes: 'AlwaysAllow' })).toBe('AlwaysAllow')
    expect(accessInWords({ configuration: '…' })).toBe('a configuration file')
    expect(accessInWords({ anonymous: false })).toBe('Node,RBAC')
  })
})
