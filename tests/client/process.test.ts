/** The headless server as a process: how it starts, how it rejects, how it ends. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { bundleNodeHost } from '../../scripts/bundle-host'
import { type Started, start } from '../support/processes'

const program = await bundleNodeHost()
const withToken = { headers: { authorization: 'Bearer admin-token' } }

const addressOf = ({ line }: Started) => /http:\S+/.exec(line)?.[0] ?? ''
const running = (...flags: string[]) => start([program, '--port=0', '--warm-up=off', ...flags])

describe('the headless server', () => {
  it('prints its address and serves requests', async () => {
    const server = await running()
    expect(server.line).toMatch(/^kubetab is ready on http:\/\/127\.0\.0\.1:\d+$/)
    expect(await (await fetch(`${addressOf(server)}/readyz`)).text()).toBe('ok')
    server.process.kill('SIGTERM')
    expect(await once(server.process, 'exit')).toEqual([0, null])
  })

  it('ends watches, and with exit code 0, on SIGTERM', async () => {
    const server = await running()
    const watch = await fetch(`${addressOf(server)}/api/v1/namespaces?watch=1`, withToken)
    const received = watch.text()
    server.process.kill('SIGTERM')
    expect(
      (await received).split('\n').filter((line) => line.includes('"ADDED"')).length,
    ).toBeGreaterThan(0)
    expect(await once(server.process, 'exit')).toEqual([0, null])
  })

  it('serves, and ends with exit code 0, while it is still warming up', async () => {
    const server = await start([program, '--port=0'])
    expect((await fetch(`${addressOf(server)}/api/v1/namespaces`, withToken)).status).toBe(200)
    server.process.kill('SIGTERM')
    expect(await once(server.process, 'exit')).toEqual([0, null])
  })

  it('fails /readyz, and serves on, while the shutdown is delayed, until a second signal', async () => {
    const server = await running('--shutdown-delay-duration=1m')
    server.process.kill('SIGTERM')
    await expect.poll(async () => (await fetch(`${addressOf(server)}/readyz`)).status).toBe(500)
    expect(await (await fetch(`${addressOf(server)}/readyz`)).text()).toContain(
      '[-]shutdown failed: reason withheld',
    )
    expect((await fetch(`${addressOf(server)}/livez`)).status).toBe(200)
    expect((await fetch(`${addressOf(server)}/api/v1/namespaces`, withToken)).status).toBe(200)
    server.process.kill('SIGTERM')
    expect(await once(server.process, 'exit')).toEqual([1, null])
  })

  it('ends by itself when the delay is over', async () => {
    const server = await running('--shutdown-delay-duration=50ms')
    server.process.kill('SIGTERM')
    expect(await once(server.process, 'exit')).toEqual([0, null])
  })

  it('rejects an unknown flag, naming it', async () => {
    const child = spawn(process.execPath, [program, '--no-such-flag=1'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let complaint = ''
    child.stderr.on('data', (chunk) => {
      complaint += chunk
    })
    expect(await once(child, 'close')).toEqual([1, null])
    expect(complaint).toBe('Error: unknown flag: --no-such-flag\n')
  })

  it('responds to an unknown HTTP method as kube-apiserver does', async () => {
    const server = await running()
    const result = await new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(addressOf(server))
      const options = {
        hostname,
        port,
        method: 'FROB',
        path: '/api/v1/namespaces/default/pods',
        ...withToken,
      }
      request(options, (response) =>
        response.on('data', (chunk) => resolve(`${response.statusCode} ${chunk}`)),
      )
        .on('error', reject)
        .end()
    })
    expect(result).toContain('405 ')
    expect(result).toContain('MethodNotAllowed')
    server.process.kill('SIGTERM')
    await once(server.process, 'exit')
  })
})
