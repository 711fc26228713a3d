import { afterEach, describe, expect, it } from 'vitest'
import { cleanups, http2, never, outbound, pause, to } from './counting-server'

afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

describe('HTTP/2 connections', () => {
  it('carry concurrent calls', async () => {
    const hook = await http2((_request, response) => void setTimeout(() => response.end('{}'), 20))
    const { post } = outbound()
    const responses = await Promise.all(Array.from({ length: 20 }, () => post(to(hook), never)))
    expect(responses.map(({ status, body }) => [status, body])).toEqual(Array(20).fill([200, '{}']))
    expect(hook.connections).toHaveLength(1)
    expect(new Set(hook.protocols)).toEqual(new Set(['2.0']))
  })

  it('are not offered to webhooks that request HTTP/1.1', async () => {
    const hook = await http2()
    await outbound().post(to(hook, { http1Only: true }), never)
    expect(hook.protocols).toEqual(['1.1'])
  })

  it('increase when the server limits concurrent streams', async () => {
    const hook = await http2(
      (_request, response) => void setTimeout(() => response.end('{}'), 100),
      { maxConcurrentStreams: 2 },
    )
    const { post } = outbound()
    await post(to(hook), never)
    await Promise.all(Array.from({ length: 4 }, () => post(to(hook), never)))
    expect(hook.connections).toHaveLength(2)
  })

  it('are replaced after GOAWAY, while calls in flight finish', async () => {
    const hook = await http2((_request, response) => void setTimeout(() => response.end('{}'), 50))
    const { post } = outbound()
    await post(to(hook), never)
    const underway = post(to(hook), never)
    await pause(20)
    hook.sessions[0]?.goaway(0)
    await pause(10)
    expect((await post(to(hook), never)).status).toBe(200)
    expect((await underway).status).toBe(200)
    expect(hook.connections).toHaveLength(2)
  })

  it('are replaced after the server closed them', async () => {
    const hook = await http2()
    const { post } = outbound()
    await post(to(hook), never)
    hook.sessions[0]?.destroy()
    await pause(20)
    expect((await post(to(hook), never)).status).toBe(200)
    expect(hook.bodies).toHaveLength(2)
  })

  it('are closed when idle', async () => {
    const hook = await http2()
    const { post } = outbound({ idleTimeout: 60 })
    await post(to(hook), never)
    await pause(200)
    expect(hook.sessions[0]?.destroyed).toBe(true)
  })

  it('stream a watch, and cancel it when the reader stops', async () => {
    let ended = false
    const hook = await http2((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-own': 'a' })
      response.write('{"type":"ADDED"}\n')
      setTimeout(() => response.write('{"type":"DELETED"}\n'), 20)
      request.on('close', () => {
        ended = true
      })
    })
    const { status, headers, body } = await outbound().pass(
      { ...to(hook), method: 'GET', body: new Uint8Array() },
      never,
    )
    expect([status, headers['x-own']]).toEqual([200, 'a'])
    const chunks: string[] = []
    const stop = await new Promise<() => void>((done) => {
      const end = body.start({
        write(chunk) {
          chunks.push(new TextDecoder().decode(chunk as Uint8Array))
          if (chunks.length === 2) done(() => end?.())
          return true
        },
        end: never,
        abort: never,
      })
    })
    expect(chunks).toEqual(['{"type":"ADDED"}\n', '{"type":"DELETED"}\n'])
    stop()
    await pause(50)
    expect(ended).toBe(true)
  })
})
