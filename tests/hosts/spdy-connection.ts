/** A connection of a client to a listener, over which streams are upgraded. */
import { connect, type Socket } from 'node:net'
import { afterEach, expect } from 'vitest'
import type { ApiResponse } from '../../src/engine/http/messages'
import { type ClientLimits, type Listener, listen } from '../../src/hosts/node/listener'
import { Compressor as Compressing, type Compressor, type Frame, framesIn } from './spdy-client'
export let listener: Listener
export let socket: Socket
/** Call it in each file of tests: files share this module, so it registers no hooks itself. */
export function setUpEachTest(): void {
  afterEach(async () => {
    socket.destroy()
    await listener.close()
  })
}

export interface Client {
  headers: Compressor
  received(): Buffer
  head(): string
  frames(): Frame[]
  send(...bytes: Buffer[]): void
  until(holds: (frames: Frame[]) => boolean): Promise<Frame[]>
  gone(): Promise<void>
}

export async function open(
  response: Partial<ApiResponse>,
  head: string,
  limits: Partial<ClientLimits> = {},
): Promise<Client> {
  const handle = async () => ({ status: 501, headers: {}, body: 'no', ...response })
  listener = await listen(handle, {
    port: 0,
    limits,
    report: (_, cause) => expect.fail(String(cause)),
  })
  socket = connect(Number(new URL(listener.address).port), '127.0.0.1')
  let bytes = Buffer.alloc(0)
  let closed = false
  socket.on('data', (part) => {
    bytes = Buffer.concat([bytes, part])
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
  })
  socket.write(head.replaceAll('\n', '\r\n'))
  const behind = () => bytes.indexOf('\r\n\r\n') + 4
  const frames = () => framesIn(bytes.subarray(behind()))
  await expect.poll(() => bytes.includes('\r\n\r\n')).toBe(true)
  return {
    headers: new Compressing(),
    received: () => bytes.subarray(behind()),
    head: () => bytes.subarray(0, behind()).toString(),
    frames,
    send: (...parts) => void socket.write(Buffer.concat(parts)),
    async until(holds) {
      await expect.poll(() => holds(frames())).toBe(true)
      return frames()
    },
    gone: () => expect.poll(() => closed).toBe(true),
  }
}

export const request = (
  path: string,
  ...versions: string[]
) => `POST /api/v1/namespaces/a/pods/b/${path} HTTP/1.1
Host: x
Connection: Upgrade
Upgrade: SPDY/3.1
${versions.map((version) => `X-Stream-Protocol-Version: ${version}\n`).join('')}Content-Length: 0

`
export const V4 = 'v4.channel.k8s.io'
export const STREAM_PROTOCOLS = [V4, 'v3.channel.k8s.io', 'v2.channel.k8s.io', 'channel.k8s.io']
