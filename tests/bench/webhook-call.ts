/**
 * Measures what one call of a webhook costs the processor of the caller: the code that the server
 * calls webhooks with, next to a plain Node.js client, both over a kept TLS connection and in turns.
 *
 *   npm run bench:webhook-call
 */
import { Agent, request } from 'node:https'
import { fileURLToPath } from 'node:url'
import { readAdmissionResponse } from '../../src/engine/policy/webhooks/admission-response'
import { postReview } from '../../src/engine/webhooks/client'
import { servingCertificate } from '../../src/hosts/node/certificate'
import { outboundOver } from '../../src/hosts/node/outbound'
import { systemClock } from '../../src/hosts/shared/environment'
import { median } from '../support/median'
import { start, stop } from '../support/processes'

const ROUNDS = 16
const WARM_UP = 6
const CALLS = 300

const { key, cert } = servingCertificate('bench', Date.now())
const hook = await start([
  fileURLToPath(new URL('review-server.mjs', import.meta.url)),
  JSON.stringify({ key, cert }),
])
const url = `https://127.0.0.1:${hook.line}/hook`
const object = { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'x'.repeat(900) } }
const body = JSON.stringify({
  kind: 'AdmissionReview',
  apiVersion: 'admission.k8s.io/v1',
  request: { uid: 'u', object },
})

const agent = new Agent({ keepAlive: true, ca: cert, allowPartialTrustChain: true } as object)
function plain(): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += chunk
      })
      response.on('end', () => resolve(JSON.parse(text)))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const outbound = outboundOver(new Map())
const caBundle = Buffer.from(cert).toString('base64')
async function own(): Promise<unknown> {
  const environment = { clock: systemClock, outbound, readService: async () => undefined }
  const response = await postReview(environment, { url, caBundle }, { seconds: 10, body })
  return readAdmissionResponse(response, 'u', 'v1', false)
}

/** @returns microseconds of the processor a call */
async function cost(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  for (let i = 0; i < CALLS; i++) await call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / CALLS
}

const costs: { plain: number[]; own: number[] } = { plain: [], own: [] }
for (let round = 0; round < ROUNDS; round++) {
  const measured = { plain: await cost(plain), own: await cost(own) }
  if (round < WARM_UP) continue
  costs.plain.push(measured.plain)
  costs.own.push(measured.own)
}
const [base, ours] = [median(costs.plain), median(costs.own)]
console.log(
  `plain client ${base.toFixed(0)} µs, this server ${ours.toFixed(0)} µs of the processor a call: ${(ours / base).toFixed(2)} plain calls`,
)
outbound.close()
agent.destroy()
await stop(hook)
