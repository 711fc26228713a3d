/** Commands in containers on simulated nodes: exec, attach and port-forward. */
import { describe, expect, it } from 'vitest'
import { UPGRADE_HEADER } from '../../src/engine/core/names'
import type { TunnelSink } from '../../src/engine/http/messages'
import { CORE, cluster, LOGGING, podNow, running, setUpEachTest } from './simulated-pod'

setUpEachTest()

describe('a command', () => {
  const UPGRADE: Record<string, string> = { upgrade: 'websocket', connection: 'Upgrade' }
  const exec = async (query: string, upgrade = UPGRADE, subresource = 'exec') => {
    const headers: Record<string, string> = { authorization: 'Bearer admin', ...upgrade }
    return cluster.server.handle({
      method: 'GET',
      target: `${CORE}/pods/web/${subresource}?${query}`,
      header: (name) => headers[name],
      headerNames: () => Object.keys(headers),
      body: async () => new Uint8Array(),
    })
  }

  async function output(
    query: string,
    typed?: string,
    protocol = 'v5.channel.k8s.io',
  ): Promise<{ channels: Record<number, string>; ended: boolean }> {
    const channels: Record<number, string> = {}
    let ended = false
    const sink: TunnelSink = {
      send: (channel, content) => {
        channels[channel] =
          (channels[channel] ?? '') +
          (typeof content === 'string' ? content : new TextDecoder().decode(content))
      },
      end: () => {
        ended = true
      },
    }
    const end = (await exec(query)).tunnel?.open(sink, protocol)
    if (typed !== undefined) end?.receive(0, new TextEncoder().encode(typed))
    return { channels, ended }
  }

  it('returns an error that clients show if the bridge cannot upgrade', async () => {
    await running()
    const { status, headers, body } = await exec('command=ls&stdout=true', {
      [UPGRADE_HEADER]: 'SPDY/3.1',
    })
    expect([status, headers['content-type']]).toEqual([501, 'application/json'])
    expect(JSON.parse(String(body))).toMatchObject({
      kind: 'Status',
      reason: 'NotImplemented',
      message: expect.stringContaining('the console of the page'),
    })
  })

  it('opens the streams of the query, without stderr for a terminal', async () => {
    await running()
    const requested = async (query: string) => (await exec(query)).tunnel?.streams.requested
    expect(await requested('command=sh&stdout=true')).toEqual(['stdout'])
    expect(await requested('command=sh&stdin=1&stdout=1&stderr=1&tty=false')).toEqual([
      'stdin',
      'stdout',
      'stderr',
    ])
    expect(await requested('command=sh&stdin=true&stdout=true&stderr=true&tty=true')).toEqual([
      'stdin',
      'stdout',
      'resize',
    ])
  })

  it('reports its exit as plain text or as a Status', async () => {
    await running()
    for (const version of ['v3.channel.k8s.io', 'v2.channel.k8s.io', 'channel.k8s.io'])
      expect((await output('command=false&stdout=true', undefined, version)).channels[3]).toMatch(
        /^command terminated .* 1$/,
      )
    expect(
      (await output('command=false&stdout=true', undefined, 'v4.channel.k8s.io')).channels[3],
    ).toContain('"NonZeroExitCode"')
  })

  it('can be attached to: the output from then on, until the container ends', async () => {
    await running({ behavior: `${LOGGING}exit: {after: 15, code: 0}`, command: ['serve'] }, 2)
    const channels: [number, string][] = []
    let ended = false
    const sink: TunnelSink = {
      send: (channel, content) => void channels.push([channel, String(content)]),
      end: () => void (ended = true),
    }
    const end = (await exec('stdout=true&tty=true', UPGRADE, 'attach')).tunnel?.open(
      sink,
      'v5.channel.k8s.io',
    )
    end?.receive(0, new TextEncoder().encode('no one reads'))
    expect(channels).toEqual([])
    await cluster.pass(20)
    expect(channels).toEqual([
      [1, 'ready in web\r\n'],
      [1, 'tick 1\r\n'],
      [3, '{"metadata":{},"status":"Success"}'],
    ])
    expect(ended).toBe(true)
  })

  /** Runs a command with this input, in messages of a few bytes. */
  async function filtered(command: string, input: string, query = 'stdin=true&stdout=true') {
    const received: Record<number, string> = {}
    const sink: TunnelSink = {
      send: (channel, content) => void (received[channel] = `${received[channel] ?? ''}${content}`),
      end() {},
    }
    const words = command.split(' ').map((word) => `command=${encodeURIComponent(word)}`)
    const tunnel = (await exec([query, ...words].join('&'))).tunnel?.open(sink, 'v5.channel.k8s.io')
    const bytes = new TextEncoder().encode(input)
    for (let at = 0; at < bytes.length; at += 3) tunnel?.receive(0, bytes.subarray(at, at + 3))
    expect(received[3]).toBe(query.includes('stdin') ? undefined : SUCCESS)
    tunnel?.receive(255, Uint8Array.of(0))
    return received
  }

  it.each([
    ['wc -c', 'hello\n', '6\n'],
    ['sort', 'c\nä\nb\n', 'b\nc\nä\n'],
    ['grep é', 'café\ntea\n', 'café\n'],
  ])('that filters reads its whole input: %s', async (command, input, printed) => {
    await running()
    expect(await filtered(command, input)).toEqual({ 1: printed, 3: SUCCESS })
  })

  it('that filters has empty input if the client sends none', async () => {
    await running()
    expect(await filtered('wc -c', '', 'stdout=true')).toEqual({ 1: '0\n', 3: SUCCESS })
  })

  it('that filters fails on more input than a simulation keeps', async () => {
    await running()
    const { channels } = await output(
      'command=sort&stdin=true&stdout=true&stderr=true',
      'x'.repeat(1024 * 1024 + 1),
    )
    expect(channels[2]).toBe('the input is too long\n')
  })

  it('of a shell keeps characters that are split over messages', async () => {
    await running()
    expect(await filtered('sh', 'echo äöü\n')).toEqual({ 1: 'äöü\n', 3: SUCCESS })
  })

  /** Attaches with `stdin` and types; `end` closes the input. */
  async function attached(
    typed: string,
    end: boolean,
    query = 'stdin=true&stdout=true&stderr=true',
  ) {
    const channels: Record<number, string> = {}
    let ended = false
    const sink: TunnelSink = {
      send: (channel, content) => {
        const text = typeof content === 'string' ? content : new TextDecoder().decode(content)
        channels[channel] = (channels[channel] ?? '') + text
      },
      end: () => void (ended = true),
    }
    const tunnel = (await exec(query, UPGRADE, 'attach')).tunnel?.open(sink, 'v5.channel.k8s.io')
    tunnel?.receive(0, new TextEncoder().encode(typed))
    if (end) tunnel?.receive(255, Uint8Array.of(0))
    return { channels, ended, disconnect: () => tunnel?.closed() }
  }
  const SUCCESS = '{"metadata":{},"status":"Success"}'

  it.each<[string, object, string, Record<number, string>]>([
    ['cat', { command: ['cat'] }, 'a\nb', { 1: 'a\nb', 3: SUCCESS }],
    ['a shell', { command: ['sh'] }, 'echo hi\nnope\n', { 1: 'hi\n', 3: SUCCESS }],
    ['the shell of an image', { image: 'busybox' }, 'echo hi', { 1: 'hi\n', 3: SUCCESS }],
  ])('attached to %s, gives it the input of the client', async (_what, container, typed, shown) => {
    await running({ ...container, stdin: true, stdinOnce: true })
    const { channels, ended } = await attached(typed, true)
    expect(channels).toMatchObject(shown)
    expect(channels[2]?.includes('nope') ?? false).toBe(typed.includes('nope'))
    expect(ended).toBe(true)
  })

  it.each([
    ['cat', '', 0, 'Completed'],
    ['sh', 'exit 3\n', 3, 'Error'],
  ])('ends the container when its %s ends', async (program, typed, exitCode, reason) => {
    await running({ command: [program], stdin: true, stdinOnce: true })
    await attached(typed, true)
    await cluster.pass(0)
    const [{ state, lastState = state }] = (await podNow()).status.containerStatuses
    expect(lastState.terminated).toMatchObject({ exitCode, reason })
    await cluster.pass(2)
    expect((await podNow()).status.containerStatuses[0]).toMatchObject({ restartCount: 1 })
  })

  it('attached to a shell with a terminal, echoes the input', async () => {
    await running({ command: ['sh'], stdin: true, tty: true })
    const { channels } = await attached('echo hi\rexit\r', false, 'stdin=true&stdout=true&tty=true')
    expect(channels).toEqual({ 1: '# echo hi\r\nhi\r\n# exit\r\n', 3: SUCCESS })
  })

  it('attached without stdinOnce, keeps the input open for the next client', async () => {
    await running({ command: ['cat'], stdin: true })
    expect(await attached('a', true)).toMatchObject({ channels: { 1: 'a' }, ended: false })
    const second = await attached('b', true)
    expect(second).toMatchObject({ channels: { 1: 'b' }, ended: false })
    second.disconnect()
    await cluster.pass(2)
    expect((await podNow()).status.containerStatuses[0]).toMatchObject({ restartCount: 0 })
  })

  it('attached with stdinOnce, ends when the client disconnects', async () => {
    await running({ command: ['cat'], stdin: true, stdinOnce: true })
    const { channels, disconnect } = await attached('a', false)
    disconnect()
    await cluster.pass(2)
    expect(channels).toEqual({ 1: 'a' })
    expect((await podNow()).status.containerStatuses[0]).toMatchObject({
      restartCount: 1,
      lastState: { terminated: { exitCode: 0 } },
    })
  })

  it.each<[string, object, string]>([
    ['a container without stdin', { command: ['cat'] }, 'stdin=true&stdout=true'],
    ['a client that sends no input', { command: ['cat'], stdin: true }, 'stdout=true'],
    ['a program that reads nothing', { command: ['serve'], stdin: true }, 'stdin=true&stdout=true'],
  ])('passes no input: %s', async (_what, container, query) => {
    await running(container)
    expect(await attached('a', true, query)).toMatchObject({ channels: {}, ended: false })
  })

  it('cannot be attached to before the container runs', async () => {
    await running({ behavior: 'startsAfter: 30' }, 2)
    const { status, body } = await exec('stdout=true', UPGRADE, 'attach')
    expect(status).toBe(500)
    expect(String(body)).toContain(
      'unable to upgrade connection: container c not found in pod web_default',
    )
  })

  it('closes a connection to a port without a listener', async () => {
    await running({ image: 'registry.k8s.io/pause:3.10' })
    const response = await exec('ports=80,81', UPGRADE, 'portforward')
    expect(response.forwarding?.ports).toEqual([80, 81])
    const reported: string[] = []
    response.forwarding?.connect(80, {
      send: () => reported.push('data'),
      fail: (message) => reported.push(message),
      end: () => reported.push('end'),
    })
    await cluster.pass(0)
    const { uid } = (await podNow()).metadata
    expect(reported).toEqual([
      `error forwarding port 80 to pod ${uid}, uid : dial tcp4 127.0.0.1:80: connect: connection refused`,
      'end',
    ])
  })

  it('returns its scripted output', async () => {
    await running({
      behavior:
        'exec: [{command: cat /etc/release, output: v2.1}, {command: "check *", error: "no", code: 3}]',
    })
    expect(await output('command=cat&command=/etc/release&stdout=true')).toEqual({
      channels: { 1: 'v2.1\n', 3: '{"metadata":{},"status":"Success"}' },
      ended: true,
    })
    const { channels } = await output('command=check&command=db&stdout=true&stderr=true')
    expect(channels[2]).toBe('no\n')
    expect(JSON.parse(channels[3] ?? '')).toMatchObject({
      status: 'Failure',
      reason: 'NonZeroExitCode',
      details: { causes: [{ message: '3' }] },
    })
  })

  it('ends with plain text, or without any, in the oldest protocols', async () => {
    await running({ behavior: 'exec: [{command: "check *", error: "no", code: 3}]' })
    for (const protocol of ['channel.k8s.io', 'base64.channel.k8s.io']) {
      expect(await output('command=hostname', undefined, protocol)).toEqual({
        channels: { 1: 'web\n' },
        ended: true,
      })
      const { channels } = await output('command=check&command=db', undefined, protocol)
      expect(channels[3]).toBe('command terminated with non-zero exit code: exit code 3')
    }
  })

  it('is a common shell command, or reported as not scripted', async () => {
    await running()
    expect((await output('command=hostname')).channels[1]).toBe('web\n')
    expect((await output('command=sh&command=-c&command=echo+a%3Becho+b')).channels[1]).toBe(
      'a\nb\n',
    )
    expect((await output('command=ls')).channels[2]).toContain('no output is scripted')
  })

  it('is cat, which echoes its input', async () => {
    await running()
    expect(await output('command=cat&stdin=true&stdout=true', 'hello\n')).toEqual({
      channels: { 1: 'hello\n' },
      ended: false,
    })
    expect((await output('command=cat&stdin=true&tty=true', 'hi\r\u0004')).channels).toMatchObject({
      1: 'hi\r\nhi\r\n',
    })
    expect((await output('command=cat&stdout=true')).ended).toBe(true)
  })

  it('runs a script, and reports its unknown commands', async () => {
    await running()
    const script = (text: string) =>
      output(`command=sh&command=-c&command=${encodeURIComponent(text)}`)
    expect((await script('if [ a = b ]; then echo yes; else echo no; fi')).channels[1]).toBe('no\n')
    const { channels } = await script('echo a; whatever; exit 3')
    expect([channels[1], channels[2]]).toEqual([
      'a\n',
      expect.stringContaining('whatever: no output is scripted'),
    ])
    expect(channels[3]).toContain('"message":"3"')
  })

  it('can be an interactive shell', async () => {
    await running()
    const { channels, ended } = await output('command=sh&stdin=true&tty=true', 'echo hi\rexit 4\r')
    expect(channels[1]).toBe('# echo hi\r\nhi\r\n# exit 4\r\n')
    expect(channels[3]).toContain('"message":"4"')
    expect(ended).toBe(true)
  })

  it('requires a running container', async () => {
    await running({ behavior: 'startsAfter: 60' })
    expect((await exec('command=ls')).status).toBe(500)
  })
})
