/** The webhooks next to recorded servers, inside this process, by name. */
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Clock } from '../../src/engine/core/environment'
import { type Outbound, OutboundError } from '../../src/engine/core/outbound'
import { AUTHORIZATION_COMPANION, loadCompanion, outboundTo } from './authorization-companion'

const COMPANIONS: Record<string, (path: string, clock: Clock) => Promise<Outbound>> = {
  [AUTHORIZATION_COMPANION]: async (path, clock) => outboundTo([loadCompanion(path, clock)]),
  'webhook-server.mjs': admissionWebhooks,
}

export const isCompanion = (name: string): boolean => Object.hasOwn(COMPANIONS, name)

/** @param path of a program, or undefined for recordings that had none next to them */
export async function companionOutbound(path: string | undefined, clock: Clock): Promise<Outbound> {
  const start = path === undefined ? undefined : COMPANIONS[basename(path)]
  return start === undefined || path === undefined ? outboundTo([]) : start(path, clock)
}

/** The exports of the module of the admission webhooks. */
interface AdmissionWebhooks {
  PORT: number
  /** The certificate that signed the program's own, in PEM. */
  CA: string
  answer(path: string, review: unknown): { status: number; body: string; sleep?: number }
}

/** Its responses come from its own module; its certificate is good for the authority that the module names. */
async function admissionWebhooks(path: string, clock: Clock): Promise<Outbound> {
  const {
    PORT,
    CA,
    answer: respond,
  } = (await import(pathToFileURL(path).href)) as AdmissionWebhooks
  const others = outboundTo([])
  return {
    async post(request, onCancel) {
      const { host, pathname } = new URL(request.url)
      if (host !== `127.0.0.1:${PORT}`) return others.post(request, onCancel)
      if (request.certificates?.trim() !== CA.trim())
        throw new OutboundError(
          'tls: failed to verify certificate: x509: certificate signed by unknown authority',
        )
      const { status, body, sleep } = respond(pathname, JSON.parse(request.body))
      if (sleep !== undefined) await new Promise<void>((resolve) => clock.after(sleep, resolve))
      return { status, contentType: 'application/json', body }
    },
  }
}
