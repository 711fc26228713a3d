/** Values of Secrets are shared only after a confirmation; credentials of users never. */
import { describe, expect, it } from 'vitest'
import { decodeScenario, encodeScenario } from '../../src/app/features/share/link'
import {
  holdsSecrets,
  withoutSecretTexts,
  withoutSecretValues,
} from '../../src/app/features/share/secrets'

const token = {
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'bootstrap.kubernetes.io/token',
  metadata: { name: 'bootstrap-token-abcdef', namespace: 'kube-system' },
  data: { 'token-id': 'YWJjZGVm', 'token-secret': 'MDEyMzQ1Njc4OWFiY2RlZg==' },
}
const manifest = {
  title: 'secret.yaml',
  language: 'yaml' as const,
  text: 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData:\n  password: hunter2\n',
}

describe('a link without consent', () => {
  it('holds the keys of Secrets and no value, of objects and of files', () => {
    const hash = encodeScenario({
      objects: withoutSecretValues([token]),
      tabs: withoutSecretTexts([manifest]),
    })
    const arrived = JSON.stringify(decodeScenario(hash))
    expect(arrived).toContain('token-secret')
    for (const value of ['MDEyMzQ1Njc4OWFiY2RlZg==', 'hunter2'])
      expect(arrived).not.toContain(value)
  })

  it('needs a confirmation while there is anything to hide', () => {
    expect(holdsSecrets([token], [])).toBe(true)
    expect(holdsSecrets([], [manifest])).toBe(true)
    expect(holdsSecrets(withoutSecretValues([token]), withoutSecretTexts([manifest]))).toBe(false)
  })
})
