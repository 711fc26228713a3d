/** A minimal HTTP client: one request at a time; parses only status and length. */
import { createConnection } from 'node:net'
import type { WarmUpRequest } from './requests'

export interface Connection {
  /**
   * Resolves with the status of the complete response.
   * @throws the system's error if the connection ends earlier
   */
  send(sent: WarmUpRequest): Promise<number>
  /** Starts an watch, which is discarded. */
  stream(path: string): void
  close(): void
}

const HEAD_END = '\r\n\r\n'

/** User agents of API clients, other programs and scripts. */
const USER_AGENTS = [
  'kubectl/v1.31.0 (linux/amd64) kubernetes/0000000',
  'warm-up',
  'controller/1.0 (linux/amd64)',
  'script/2',
]

/**
 * @param number of the connection; selects a kind of client
 * @throws the system's error if the connection fails
 */
export async function connect(port: number, token: string, number: number): Promise<Connection> {
  const userAgent = USER_AGENTS[number % USER_AGENTS.length]
  const socket = createConnection({ port, host: '127.0.0.1', noDelay: true })
  await new Promise<void>((resolve, reject) =>
    socket.once('error', reject).once('connect', resolve),
  )
  let resolveStatus: ((status: number) => void) | undefined
  let failed: ((error: Error) => void) | undefined
  /** Undefined while the head is incomplete. */
  let missing: number | undefined
  let head = ''
  socket.on('error', (error) => failed?.(error))
  socket.on('close', () => failed?.(new Error('connection closed')))
  socket.on('data', (chunk) => {
    if (resolveStatus === undefined) return
    let arrived = chunk.length
    if (missing === undefined) {
      head += chunk.toString('latin1')
      const end = head.indexOf(HEAD_END)
      if (end < 0) return
      arrived = head.length - end - HEAD_END.length
      missing = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
    }
    missing -= arrived
    if (missing > 0) return
    const done = resolveStatus
    const status = Number(head.split(' ', 2)[1])
    resolveStatus = missing = undefined
    head = ''
    done(status)
  })
  const write = ({
    method,
    path,
    type = 'application/json',
    accept = 'application/json',
    body,
  }: WarmUpRequest) => {
    const text = body === undefined ? '' : JSON.stringify(body)
    const headers = [
      `Host: 127.0.0.1:${port}`,
      `User-Agent: ${userAgent}`,
      `Accept: ${accept}`,
      `Authorization: Bearer ${token}`,
    ]
    if (body !== undefined)
      headers.push(`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(text)}`)
    if (number % 2 === 0) headers.push('Connection: keep-alive')
    // Each kind of client orders headers differently.
    for (let turns = number % headers.length; turns > 0; turns--)
      headers.push(headers.shift() as string)
    socket.write(`${method} ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${text}`)
  }
  return {
    send: (sent) =>
      new Promise((resolve, reject) => {
        resolveStatus = resolve
        failed = reject
        write(sent)
      }),
    stream: (path) => write({ method: 'GET', path }),
    close: () => socket.destroy(),
  }
}
