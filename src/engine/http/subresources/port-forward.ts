/** Forwarded ports of a pod: HTTP/1.1 to the programs whose responses are simulated. */
import type { Pod } from '../../kinds/core/pod-types'
import type { Engine } from '../../registry/engine'
import type { HttpRequest, OpenConnection } from '../../simulation/network/client'
import type { NetworkPod } from '../../simulation/network/cluster'
import type { NetworkAccess } from '../../simulation/network/network'
import { headOf } from '../../simulation/script/builtins/http-clients'
import type { PortEnd, PortForwarding, PortSink } from '../messages'
import { networkOf } from './simulated-network'

/** Bytes of one request. */
const MOST_INPUT = 1024 * 1024

export const forwardingTo = (
  engine: Engine,
  pod: Pod,
  ports: readonly number[],
): PortForwarding => ({
  ports,
  connect: (port, sink) => new ForwardedPort(engine, pod, port, sink),
})

class ForwardedPort implements PortEnd {
  private readonly decoder = new TextDecoder('latin1')
  /** One character for each byte. */
  private input = ''
  private isOpen = true
  private hasEnded = false
  private connection: { access: NetworkAccess; target: OpenConnection } | undefined

  constructor(
    private readonly engine: Engine,
    private readonly pod: Pod,
    private readonly port: number,
    private readonly sink: PortSink,
  ) {
    this.connect().catch((error: unknown) => {
      engine.log.error(`a forwarded port of pod ${pod.metadata.name}`, error)
      this.end()
    })
  }

  receive(bytes: Uint8Array): void {
    if (!this.isOpen) return
    this.input += this.decoder.decode(bytes, { stream: true })
    if (this.input.length > MOST_INPUT) this.fail('the request is too long')
    else this.respond()
  }

  ended(): void {
    this.hasEnded = true
    this.respond()
  }

  private async connect(): Promise<void> {
    const access = (await networkOf(this.engine)).from(this.pod as NetworkPod)
    const target = access.connect('127.0.0.1', this.port)
    if (target.result === 'open' && !target.encrypted) {
      this.connection = { access, target }
      this.respond()
    } else if (target.result === 'open' || target.result === 'unknown')
      this.fail('the program that listens there is not simulated')
    else this.fail(`dial tcp4 127.0.0.1:${this.port}: connect: connection refused`)
  }

  /** Responds to every request that has arrived whole. */
  private respond(): void {
    if (this.connection === undefined) return
    const { access, target } = this.connection
    for (let found = requestIn(this.input); this.isOpen && found; found = requestIn(this.input)) {
      if (found === 'invalid') {
        this.send('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n400 Bad Request')
        this.end()
        return
      }
      this.input = this.input.slice(found.length)
      const response = access.request(target, found.request)
      if (response === undefined) {
        this.fail('the response of the program is not simulated')
        return
      }
      const { status, headers, body } = response
      const bytes = new TextEncoder().encode(body)
      const closes = found.request.headers?.connection?.toLowerCase() === 'close'
      this.send(
        headOf({
          status,
          headers: {
            ...headers,
            'content-length': String(bytes.length),
            ...(closes && { connection: 'close' }),
          },
          body: '',
        }),
      )
      if (found.request.method !== 'HEAD' && bytes.length > 0) this.sink.send(bytes)
      if (closes) this.end()
    }
    if (this.hasEnded) this.end()
  }

  private send(text: string): void {
    this.sink.send(new TextEncoder().encode(text))
  }

  private fail(reason: string): void {
    if (!this.isOpen) return
    this.sink.fail(
      `error forwarding port ${this.port} to pod ${this.pod.metadata.uid}, uid : ${reason}`,
    )
    this.end()
  }

  private end(): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.sink.end()
  }
}

/** @returns undefined for a request that has not arrived whole */
function requestIn(
  input: string,
): { request: HttpRequest; length: number } | 'invalid' | undefined {
  const end = input.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = input.slice(0, end).split('\r\n')
  const [, method, path] = /^([A-Z]{1,16}) (\/\S*) HTTP\/1\.[01]$/.exec(first) ?? []
  if (method === undefined || path === undefined) return 'invalid'
  const headers = new Map(
    lines.map((line): [string, string] => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
    }),
  )
  const size = headers.get('content-length') ?? '0'
  if (!/^\d{1,9}$/.test(size) || headers.has('transfer-encoding')) return 'invalid'
  const start = end + 4
  const length = start + Number(size)
  if (input.length < length) return undefined
  const body = input.slice(start, length)
  return { request: { method, path, headers: Object.fromEntries(headers), body }, length }
}
