import { describe, expect, it } from 'vitest'
import { testServer } from './server'

const toleration = (key: string, tolerationSeconds: number) => ({
  key: `node.kubernetes.io/${key}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds,
})

describe('pods without tolerations for unreachable and not-ready nodes', () => {
  const tolerations = async (options: object, spec = {}) => {
    const server = testServer(options)
    await server.namespace('a')
    return (await server.pod('a', spec)).body.spec.tolerations
  }

  it('tolerate them for five minutes, or as configured', async () => {
    expect(await tolerations({})).toEqual([
      toleration('not-ready', 300),
      toleration('unreachable', 300),
    ])
    const tolerationSeconds = { notReady: 5, unreachable: 0 }
    expect(await tolerations({ tolerationSeconds })).toEqual([
      toleration('not-ready', 5),
      toleration('unreachable', 0),
    ])
  })

  it('get only the missing tolerations', async () => {
    const own = [{ key: 'node.kubernetes.io/unreachable', operator: 'Exists' }]
    expect(await tolerations({ tolerationSeconds: { notReady: 7 } }, { tolerations: own })).toEqual(
      [...own, toleration('not-ready', 7)],
    )
    const everything = [{ operator: 'Exists' }]
    expect(await tolerations({}, { tolerations: everything })).toEqual(everything)
  })
})
