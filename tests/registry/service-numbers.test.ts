import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../src/engine/core/object'
import { OptionError } from '../../src/engine/server/server'
import { type Causes, causes, testServer } from './server'

const SERVICES = '/api/v1/namespaces/default/services'

interface Service extends KubeObject {
  spec: { clusterIP: string; ports: { nodePort: number }[] }
}

type Server = ReturnType<typeof testServer>

async function made(server: Server, name: string, port: object = {}): Promise<Service> {
  const body = { metadata: { name }, spec: { type: 'NodePort', ports: [{ port: 80, ...port }] } }
  return (await server.send<Service>('POST', SERVICES, body)).body
}

describe('dynamically allocated addresses and node ports', () => {
  it('come from the upper band of the range until it is exhausted', async () => {
    // Of 64 addresses 16 are the static band; two more are reserved, and one is of the service
    // kubernetes.
    const server = testServer({ serviceRanges: ['10.20.0.0/26'], nodePortRange: '30000+62' })
    const services: Service[] = []
    for (let i = 0; i < 61; i++) services.push(await made(server, `s-${i}`))
    const ports = services.map(({ spec }) => spec.ports[0]?.nodePort ?? 0)
    const last = services.map(({ spec }) => Number(spec.clusterIP.split('.').at(-1)))
    expect(ports.slice(0, 46).sort()).toEqual(Array.from({ length: 46 }, (_, i) => 30016 + i))
    expect(Math.max(...ports.slice(46))).toBeLessThan(30016)
    expect(Math.min(...last.slice(0, 46))).toBe(17)
    expect(last.slice(46).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 15 }, (_, i) => 2 + i),
    )
  })

  it('come from the whole range if it is too small for a static band', async () => {
    const server = testServer({ nodePortRange: '31000-31015' })
    const ports: number[] = []
    for (let i = 0; i < 16; i++)
      ports.push((await made(server, `s-${i}`)).spec.ports[0]?.nodePort ?? 0)
    expect(ports.sort()).toEqual(Array.from({ length: 16 }, (_, i) => 31000 + i))
  })
})

describe('the range of node ports', () => {
  it('appears in error messages', async () => {
    const server = testServer({ nodePortRange: '31000-31099' })
    const { body } = await server.send<Causes>('POST', SERVICES, {
      metadata: { name: 'a' },
      spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 30000 }] },
    })
    expect(causes(body)).toEqual([
      'spec.ports[0].nodePort: Invalid value: 30000: provided port is not in the valid range. The range of valid ports is 31000-31099',
    ])
    expect((await made(server, 'b', { nodePort: 31000 })).spec.ports[0]?.nodePort).toBe(31000)
  })

  it.each(['none', '2-1', '1-70000', '30000-', '0-100'])('rejects %s', (nodePortRange) => {
    expect(() => testServer({ nodePortRange })).toThrow(OptionError)
  })
})
