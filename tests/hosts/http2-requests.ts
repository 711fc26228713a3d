import type { ClientHttp2Session, OutgoingHttpHeaders } from 'node:http2'
import type { ApiResponse, StreamSink } from '../../src/engine/http/messages'
import { servingCertificate } from '../../src/hosts/node/certificate'

export const identity = servingCertificate('kubetab', Date.now())
export const SIGNED = { authorization: 'Bearer admin-token' }
export const reported: string[] = []

export interface Received {
  headers: Record<string, unknown>
  body: string
}

export function send(
  client: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: string | Buffer,
): Promise<Received> {
  const stream = client.request({ ...SIGNED, ...headers }, { endStream: body === undefined })
  if (body !== undefined) stream.end(body)
  return new Promise((resolve, reject) => {
    let received: Record<string, unknown> = {}
    const chunks: Buffer[] = []
    stream.on('response', (head) => {
      received = head
    })
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('error', reject)
    stream.on('close', () => resolve({ headers: received, body: Buffer.concat(chunks).toString() }))
  })
}

export const text = (body: string, headers: ApiResponse['headers'] = {}): ApiResponse => ({
  status: 200,
  headers: { 'content-type': 'text/plain', ...headers },
  body,
})
/** A streaming response. Its sink is added to the list when the stream starts. */
export const reporting = (sinks: StreamSink[]): ApiResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: {
    start(sink) {
      sinks.push(sink)
      return () => {}
    },
  },
})
export const settled = () => new Promise((resolve) => setTimeout(resolve, 50))
